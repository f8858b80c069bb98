import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import path from 'node:path'
import { createInterface } from 'node:readline'

import type { HostAnswer, Outcome } from '../../sandbox/wire/call.ts'
import { essence, handlerModule, startSandbox, tight, until, type TestSandbox } from './host-releases.ts'

/** The faults of outcomes that failed, or that they went well. */
function faults(outcomes: readonly Outcome[]): unknown[] {
  return outcomes.map((outcome) => (outcome.ok ? 'ok' : [outcome.kind, outcome.fault]))
}

/** The sandbox host that holds the calls. */
function laneOf(sandbox: TestSandbox): number {
  return sandbox.pool.stats().lanes[0]?.pid ?? 0
}

describe('the blame for a call that failed', () => {
  it('is the database’s or the platform’s when the guest waited for them, or was failed by them', async () => {
    await using sandbox = await startSandbox()
    const code = await sandbox.install(
      'waits',
      handlerModule(`
        if (request.wait === 'db') await db.table('a')
        if (request.wait === 'cache') await ctx.cache.get('a')
        if (request.wait === 'nothing') await new Promise(() => {})
        if (request.fail) await ctx.cache.get('b').catch(() => {})
        throw new Error('by itself')`),
    )
    const never = (): Promise<HostAnswer> => new Promise(() => undefined)
    const failing = (answer: string) => (): Promise<HostAnswer> =>
      Promise.resolve({ ok: false, code: answer, message: 'no' })
    // A host call has to take half of the clock, on a busy machine too.
    const limits = { ...tight, wallMs: 3_000 }
    await sandbox.call(code)
    const outcomes = await Promise.all([
      sandbox.call(code, { limits, host: never, input: '{"wait":"db"}' }),
      sandbox.call(code, { limits, host: never, input: '{"wait":"cache"}' }),
      sandbox.call(code, { limits, host: never, input: '{"wait":"nothing"}' }),
      sandbox.call(code, { host: failing('internal'), input: '{"fail":true}', tenant: '2' }),
      sandbox.call(code, { host: failing('not_found'), input: '{"fail":true}', tenant: '2' }),
      sandbox.call(code, { tenant: '3' }),
    ])
    assert.deepEqual(faults(outcomes), [
      ['timeout', 'database'],
      ['timeout', 'host'],
      ['timeout', undefined],
      ['threw', 'host'],
      ['threw', undefined],
      ['threw', undefined],
    ])
  })

  it('is the plugin’s own when somebody it chose failed it, or did not answer', async () => {
    await using sandbox = await startSandbox()
    const code = await sandbox.install(
      'chooses',
      handlerModule(`
        if (request.wait === 'http') await ctx.http.fetch('https://a.example')
        await ctx.cache.get('b').catch(() => {})
        throw Object.assign(new Error('by itself'), request.code ? { code: request.code } : {})`),
    )
    const capabilities = JSON.stringify({ plugin: {}, tenant: { id: 1 }, capabilities: ['http', 'db:own_tables'] })
    const never = (): Promise<HostAnswer> => new Promise(() => undefined)
    const failing = (answer: string) => (): Promise<HostAnswer> =>
      Promise.resolve({ ok: false, code: answer, message: 'no' })
    const outcomes = await Promise.all([
      sandbox.call(code, {
        host: never,
        ctx: capabilities,
        limits: { ...tight, wallMs: 3_000 },
        input: '{"wait":"http"}',
      }),
      sandbox.call(code, { host: failing('upstream'), tenant: '2' }),
      sandbox.call(code, { host: failing('internal'), tenant: '2', input: '{"code":"conflict"}' }),
      sandbox.call(code, { host: () => Promise.reject(new Error('a fault of ours')), tenant: '3' }),
    ])
    assert.deepEqual(faults(outcomes), [
      ['timeout', undefined],
      ['threw', undefined],
      ['threw', undefined],
      ['threw', 'host'],
    ])
  })

  it('is nobody’s when a sandbox host ends and names nobody: who was inside runs apart, and answers', async () => {
    const kills: unknown[] = []
    await using sandbox = await startSandbox({ lanes: 1, onKill: (kill) => kills.push(kill) })
    const code = await sandbox.install('neighbour', handlerModule('await new Promise(() => {})'))
    const idle = await sandbox.install('idle', handlerModule('return 1'))
    const limits = { ...tight, wallMs: 5_000 }
    await sandbox.call(idle)
    const alone = sandbox.call(code, { limits })
    await until(() => sandbox.pool.stats().running === 1)
    process.kill(laneOf(sandbox), 'SIGABRT')
    await until(() => kills.length === 1 && sandbox.pool.stats().lanes[0]?.name === 'penalty-0')
    assert.deepEqual(kills, [{ plugin: 'neighbour', reason: 'crash', isCertain: false }])
    // Once more, and now it was alone where nobody else ever was.
    await until(() => sandbox.pool.stats().running === 1)
    process.kill(laneOf(sandbox), 'SIGABRT')
    assert.deepEqual(essence(await alone), { ok: false, kind: 'limit', limit: 'memory', hostCalls: 0 })
    assert.deepEqual(kills[1], { plugin: 'neighbour', reason: 'crash', isCertain: true })
  })

  it('gives a call no more of the clock for two attempts than for one', async () => {
    await using sandbox = await startSandbox({ lanes: 1 })
    const code = await sandbox.install('waiting', handlerModule('await new Promise(() => {})'))
    const begun = performance.now()
    const waiting = sandbox.call(code, { limits: { ...tight, wallMs: 6_000 } })
    await until(() => sandbox.pool.stats().running === 1 && performance.now() > begun + 4_000)
    process.kill(laneOf(sandbox), 'SIGKILL')
    const outcome = await waiting
    // With a whole new clock the second attempt alone would have taken six seconds.
    assert.deepEqual([!outcome.ok && outcome.kind, outcome.wallMs < 6_000], ['timeout', true], JSON.stringify(outcome))
  })

  it('is nobody’s while a sandbox host is stopped: its calls go on when it does', async () => {
    const kills: unknown[] = []
    await using sandbox = await startSandbox({ lanes: 1, onKill: (kill) => kills.push(kill) })
    const code = await sandbox.install('steady', handlerModule('await ctx.cache.get("a"); return 1'))
    const gate = Promise.withResolvers<HostAnswer>()
    const limits = { ...tight, wallMs: 1_500 }
    const calls = Array.from({ length: 4 }, () => sandbox.call(code, { limits, host: () => gate.promise }))
    await until(() => sandbox.pool.stats().running === 4)
    const pid = laneOf(sandbox)
    process.kill(pid, 'SIGSTOP')
    const stoppedAt = performance.now()
    await until(() => performance.now() > stoppedAt + 1_700)
    process.kill(pid, 'SIGCONT')
    gate.resolve({ ok: true, value: 'null' })
    assert.deepEqual(faults(await Promise.all(calls)), ['ok', 'ok', 'ok', 'ok'])
    assert.deepEqual([kills, laneOf(sandbox)], [[], pid])
  })

  it('is nobody’s when the platform itself was stopped', async () => {
    const script = path.join(import.meta.dirname, 'supervisor-stopped.ts')
    const platform = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] })
    const lines = createInterface(platform.stdout)[Symbol.asyncIterator]()
    const next = async (): Promise<unknown> => JSON.parse(String((await lines.next()).value))
    assert.equal(await next(), 'called')
    process.kill(platform.pid ?? 0, 'SIGSTOP')
    const stoppedAt = performance.now()
    await until(() => performance.now() > stoppedAt + 2_500)
    process.kill(platform.pid ?? 0, 'SIGCONT')
    assert.deepEqual(await next(), { signs: [null, null, null, null], again: 'ok', kills: {} })
    platform.kill('SIGKILL')
  })

  it('is nobody’s when the platform reads only after a pause what a guest asked, or that its time is over', async () => {
    await using sandbox = await startSandbox({ lanes: 1 })
    const limits = { ...tight, wallMs: 400 }
    const asks = (body: string, name: string) => sandbox.install(name, handlerModule(`${body}; return 1`))
    const codes = [
      await asks('await ctx.cache.get("pause")', 'answered'),
      await asks('await Promise.all([ctx.cache.get("pause"), db.table("never")])', 'unread'),
    ]
    for (const code of codes) {
      const host = (operation: string): Promise<HostAnswer> => {
        const isRead = operation === 'cache.get'
        // The second pause is more than half of the clock, as a busy machine makes them too.
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, isRead ? 3_000 : 250)
        return isRead ? Promise.resolve({ ok: true, value: 'null' }) : new Promise(() => undefined)
      }
      let outcome = await sandbox.call(code, { limits, host })
      // On a busy machine the sandbox host may not have had the time to end it meanwhile.
      while (outcome.ok) outcome = await sandbox.call(code, { limits, host })
      assert.deepEqual(faults([outcome]), [['timeout', 'machine']])
    }
  })

  it('is nobody’s when a sandbox host stays stopped: it is replaced, and the next calls are answered', async () => {
    const kills: unknown[] = []
    await using sandbox = await startSandbox({ lanes: 1, onKill: (kill) => kills.push(kill) })
    const code = await sandbox.install('steady', handlerModule('if (request.wait) await ctx.cache.get("a"); return 1'))
    const never = (): Promise<HostAnswer> => new Promise(() => undefined)
    const held = sandbox.call(code, { host: never, input: '{"wait":true}', limits: tight })
    await until(() => sandbox.pool.stats().running === 1)
    process.kill(laneOf(sandbox), 'SIGSTOP')
    const [outcome, ...others] = await Promise.all([held, sandbox.call(code), sandbox.call(code)])
    assert.deepEqual(faults([outcome, ...others]).slice(0, 1), [['killed', 'machine']])
    assert.deepEqual(faults([await sandbox.call(code)]), ['ok'])
    assert.deepEqual(kills, [])
    assert.deepEqual(sandbox.pool.stats().kills, { starved: 1 })
  })

  it('holds no call for longer than it may take that waits for a stopped sandbox host to read', async () => {
    await using sandbox = await startSandbox({ lanes: 1 })
    const code = await sandbox.install('steady', handlerModule('return 1'))
    assert.deepEqual(faults([await sandbox.call(code)]), ['ok'])
    const pid = laneOf(sandbox)
    process.kill(pid, 'SIGSTOP')
    let isAnswered = false
    const input = JSON.stringify('x'.repeat(12 * 1_048_576))
    const large = sandbox.call(code, { input, limits: { ...tight, cpuMs: 20_000, wallMs: 30_000 } })
    void large.then(() => (isAnswered = true))
    await until(() => sandbox.pool.stats().lanes[0]?.calls === 1)
    const small = await sandbox.call(code, { limits: { ...tight, wallMs: 500 } })
    assert.deepEqual([faults([small]), isAnswered], [[['killed', 'machine']], false])
    process.kill(pid, 'SIGCONT')
    assert.deepEqual([faults([await large]), laneOf(sandbox)], [['ok'], pid])
  })
})
