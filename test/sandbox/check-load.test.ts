import { deepEqual, rejects } from 'node:assert/strict'
import type { PluginManifest } from '#sandbox'
import { checkLoad } from '../../sandbox/check-load.ts'
import type { Fault, SandboxTrial } from '../../sandbox/supervisor/call.ts'
import { silentLog } from '../support/kernel.ts'
import { notesManifest, notesSource } from './plugin-notes.ts'
import { startPluginWorld, type PluginWorld } from './plugin-world.ts'

/** Stands in for a sandbox host: an answer is the CPU time a try got, and whose fault it is that it was not enough; or null. */
function trialOf(answers: readonly (readonly [cpuMs: number, fault: Fault] | null)[]): {
  readonly trial: SandboxTrial
  readonly given: number[]
} {
  const given: number[] = []
  const cost = { wallMs: 0, hostCalls: 0 }
  const call: SandboxTrial['call'] = ({ limits }) => {
    const [cpuMs, fault] = answers[given.length] ?? []
    given.push(limits.cpuMs)
    if (cpuMs === undefined) return Promise.resolve({ ok: true, value: '[]', cpuMs: 1, ...cost })
    if (fault === 'guest') return Promise.resolve({ ok: false, kind: 'limit', limit: 'cpu', cpuMs, ...cost })
    return Promise.resolve({ ok: false, kind: 'killed', cause: 'starved', fault: 'machine', cpuMs, ...cost })
  }
  return { trial: { call, [Symbol.dispose]: () => undefined }, given }
}

describe('a release', () => {
  let world: PluginWorld

  before(async () => {
    world = await startPluginWorld()
  })
  after(() => world[Symbol.asyncDispose]())

  it('is tried before it is taken', async () => {
    const hooks = { selfTest: 'check' }
    await world.sandbox.checkLoad(await world.release({ ...notesManifest, hooks }, notesSource))
    const bad = async (given: Partial<PluginManifest>, code: string): Promise<void> =>
      rejects(world.sandbox.checkLoad(await world.release(given, code)), { code: 4009, reason: 'plugin_not_loadable' })
    const throwing = notesSource.replace(`() => 'fine'`, '() => { throw new Error() }')
    await bad({ ...notesManifest, hooks }, throwing)
    await bad({ ...notesManifest, hooks }, notesSource.replace(`() => 'fine'`, '() => new Promise(() => {})'))
    await bad(notesManifest, notesSource.replace('fetch:', 'other:'))
    await bad(notesManifest, notesSource.replace(`'acme.notes.*':`, `'x':`))
    await bad(notesManifest, 'export default {')
    await bad(notesManifest, 'throw new Error()')
    await bad(notesManifest, 'for (;;);')
    await bad(notesManifest, 'export const a = 1')
  }).timeout(60_000)

  it('is tried again while the machine serves others, and spends no more than it may in all', async () => {
    const release = await world.release(notesManifest, notesSource)
    const busy = trialOf([
      [200, 'machine'],
      [600, 'machine'],
    ])
    await checkLoad(busy.trial, release, silentLog)
    deepEqual(busy.given, [2_000, 1_800, 1_200])
    const looping = trialOf([
      [300, 'machine'],
      [1_700, 'guest'],
    ])
    await rejects(checkLoad(looping.trial, release, silentLog), { reason: 'plugin_not_loadable' })
    deepEqual(looping.given, [2_000, 1_700])
  })
})
