import { readFileSync } from 'node:fs'
import type { Answer } from '../../support/api.ts'
import { until } from '../../support/until.ts'
import { scenarioOf, type Moment } from './trial.ts'
import type { MortalPlatform } from './world.ts'

/** Does something to a plugin whose host stops in the middle; while it stands still the rest happens, and then it goes on. */
export async function whilePaused(
  platform: MortalPlatform,
  { name, title, step, when }: Moment & { readonly name: string; readonly title: string },
  meanwhile: () => Promise<void>,
): Promise<Answer> {
  const { victim } = platform
  const scenario = scenarioOf(title)
  await victim.set({ plugin: name, kind: scenario.kind, step, when, halt: 'SIGSTOP' })
  const sent = scenario.act({ admin: await platform.admin(victim), name, dataDir: victim.dataDir })
  try {
    await until(() => isStopped(victim.pid), 20_000)
    await meanwhile()
  } finally {
    process.kill(victim.pid, 'SIGCONT')
  }
  return sent
}

function isStopped(pid: number): boolean {
  return /^\d+ \(.*\) T/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
}
