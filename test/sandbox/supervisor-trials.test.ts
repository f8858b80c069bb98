import assert from 'node:assert/strict'

import type { HostAnswer } from '../../sandbox/wire/call.ts'
import { essence, handlerModule, startSandbox, tight, until } from './host-releases.ts'

const ctx = JSON.stringify({ plugin: {}, tenant: null, capabilities: [] })
const host = (): Promise<HostAnswer> => Promise.reject(new Error('a trial asks for nothing'))
const call = { tenant: '0', target: { kind: 'handler', name: 'run' }, input: '{}', limits: tight, ctx, host } as const

describe('a trial of a release', () => {
  it('starts no host when it has ended', async () => {
    await using sandbox = await startSandbox()
    const code = await sandbox.install('tried', handlerModule('return 1'))
    const trial = sandbox.pool.trial()
    trial[Symbol.dispose]()
    const outcome = await trial.call({ ...call, code })
    assert.deepEqual(essence(outcome), { ok: false, kind: 'killed', cause: 'dispose', hostCalls: 0 })
    assert.deepEqual(sandbox.pool.stats().lanes, [])
  })

  it('takes its host along when it ends before its call', async () => {
    await using sandbox = await startSandbox()
    const code = await sandbox.install('early', handlerModule('return 1'))
    const trial = sandbox.pool.trial()
    const running = trial.call({ ...call, code })
    trial[Symbol.dispose]()
    assert.equal((await running).ok, false)
    assert.deepEqual(sandbox.pool.stats().lanes, [])
  })

  it('leaves its host to the next one for a moment when all went well, and else takes it along', async () => {
    await using sandbox = await startSandbox()
    const [good, other, bad] = await Promise.all([
      sandbox.install('good', handlerModule('globalThis.n = (globalThis.n ?? 0) + 1; return n')),
      sandbox.install('other', handlerModule('return 1')),
      sandbox.install('bad', handlerModule('throw new Error("no")')),
    ])
    const tried = async (code: typeof good): Promise<{ pid: number; value: string; plugins: string[] }> => {
      using trial = sandbox.pool.trial()
      const outcome = await trial.call({ ...call, code })
      const lane = sandbox.pool.stats().lanes.find(({ calls, plugins }) => calls === 0 && plugins.has(code.plugin))
      const plugins = [...(lane?.plugins.keys() ?? [])]
      return { pid: lane?.pid ?? 0, value: outcome.ok ? outcome.value : outcome.kind, plugins }
    }
    const first = await tried(good)
    const { pid } = first
    assert.deepEqual(first, { pid, value: '1', plugins: ['good'] })
    // Nothing of the trial before is left in it.
    assert.deepEqual(await tried(good), first)
    assert.deepEqual(await tried(other), { pid, value: '1', plugins: ['other'] })
    const [one, two] = await Promise.all([tried(good), tried(other)])
    assert.notEqual(one.pid, two.pid)
    const failed = await tried(bad)
    assert.deepEqual(failed, { pid: failed.pid, value: 'threw', plugins: ['bad'] })
    assert.ok([one.pid, two.pid].includes(failed.pid))
    assert.notEqual((await tried(good)).pid, failed.pid)
    await until(() => sandbox.pool.stats().lanes.length === 0)
  })
})
