import { setTimeout as sleep } from 'node:timers/promises'
import type { Cause } from './cause.ts'
import type { HostIndex, Ledger } from './ledger.ts'
import { lookAtPlugins } from './look-at-plugins.ts'
import type { Random } from './random.ts'
import { recoveryOf, type Recovery } from './recovery.ts'
import type { World } from './world.ts'

/** How a cause went, each time that it was run. */
export interface Episode {
  readonly cause: Cause
  /** Whose fault it was; undefined where it was everybody's. */
  readonly host: HostIndex | undefined
  readonly from: number
  readonly ended: number
  readonly to: number
  readonly recovery: readonly Recovery[]
}

/** Longer than recovery may take. */
const calmMs = 7_000

/** Breaks one thing, waits until all is calm again, and looks what became of the plugins. */
export async function runCause(cause: Cause, world: World, ledger: Ledger, random: Random): Promise<Episode> {
  const host = random() < 0.5 ? 0 : 1
  ledger.cause = cause.name
  const from = Date.now()
  await cause.run({ world, ledger, random, host })
  const ended = Date.now()
  await sleep(calmMs)
  await lookAtPlugins(world, ledger)
  const to = Date.now()
  const episode = { cause, host: cause.whose === 'one' ? host : undefined, from, ended, to } as const
  return { ...episode, recovery: recoveryOf(ledger.attempts, ended, to) }
}
