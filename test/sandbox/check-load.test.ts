import { deepEqual, rejects } from 'node:assert/strict'
import type { PluginManifest } from '#sandbox'
import { checkLoad } from '../../sandbox/check-load.ts'
import type { Fault, SandboxTrial } from '../../sandbox/wire/call.ts'
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

/** Stands in for a sandbox that has no host: it refuses at once, until it is told otherwise. */
function refusingTrial(cause: string): {
  readonly trial: SandboxTrial
  readonly made: { calls: number; isUp: boolean }
} {
  const made = { calls: 0, isUp: false }
  const cost = { cpuMs: 0, wallMs: 0, hostCalls: 0 }
  const call: SandboxTrial['call'] = () => {
    made.calls++
    if (made.isUp) return Promise.resolve({ ok: true, value: '[]', ...cost })
    return Promise.resolve({ ok: false, kind: 'killed', cause, ...cost })
  }
  return { trial: { call, [Symbol.dispose]: () => undefined }, made }
}

function codeOf(error: unknown): readonly unknown[] {
  const { code, reason } = error as { readonly code?: unknown; readonly reason?: unknown }
  return [code, reason]
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
    const bad = async (given: Partial<PluginManifest>, code: string): Promise<void> => {
      const release = await world.release(given, code)
      const tried = async () => world.sandbox.checkLoad(release).catch((error: unknown) => error)
      let refusal = await tried()
      // A machine that gives it no time says nothing of the release: it is to be tried again, as whoever installs it is told.
      while (codeOf(refusal)[0] === 5035) refusal = await tried()
      deepEqual(codeOf(refusal), [4009, 'plugin_not_loadable'])
    }
    const throwing = notesSource.replace(`() => 'fine'`, '() => { throw new Error() }')
    await bad({ ...notesManifest, hooks }, throwing)
    await bad({ ...notesManifest, hooks }, notesSource.replace(`() => 'fine'`, '() => new Promise(() => {})'))
    await bad(notesManifest, notesSource.replace('fetch:', 'other:'))
    await bad(notesManifest, notesSource.replace(`'acme.notes.*':`, `'x':`))
    await bad(notesManifest, 'export default {')
    await bad(notesManifest, 'throw new Error()')
    await bad(notesManifest, 'for (;;);')
    await bad(notesManifest, 'export const a = 1')
  })

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

  it('waits for a sandbox host without holding up everything else', async () => {
    const { trial, made } = refusingTrial('no_host')
    const release = await world.release(notesManifest, notesSource)
    const checked = checkLoad(trial, release, silentLog)
    // Told by a timer: a loop of promises alone would never let it come.
    setTimeout(() => (made.isUp = true), 0)
    await checked
    deepEqual(made.calls, 2)
  })

  it('is given up at once when the sandbox ends, which says nothing of it', async () => {
    const { trial, made } = refusingTrial('dispose')
    const release = await world.release(notesManifest, notesSource)
    await rejects(checkLoad(trial, release, silentLog), { code: 5035, details: { cause: 'dispose' } })
    deepEqual(made.calls, 1)
  })
})
