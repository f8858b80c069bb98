import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import path from 'node:path'
import { createInterface } from 'node:readline'

import { PluginHealth } from '../../sandbox/plugin-health.ts'
import type { Call, Failure, HostAnswer, Outcome } from '../../sandbox/supervisor/call.ts'
import { LostTime } from '../../sandbox/supervisor/lost-time.ts'
import { newPending, withFault } from '../../sandbox/supervisor/pending-call.ts'
import { essence, handlerModule, startSandbox, tight, until, type TestSandbox } from './host-releases.ts'

const cost = { cpuMs: 0, wallMs: 0, hostCalls: 0 }
const threw = (code?: string): Failure => ({
  ok: false,
  kind: 'threw',
  error: { name: 'Error', message: '', ...(code === undefined ? {} : { code }) },
})

/** The faults of outcomes that failed, or that they went well. */
function faults(outcomes: readonly Outcome[]): unknown[] {
  return outcomes.map((outcome) => (outcome.ok ? 'ok' : [outcome.kind, outcome.fault]))
}

/** The sandbox host that holds the calls. */
function laneOf(sandbox: TestSandbox): number {
  return sandbox.pool.stats().lanes[0]?.pid ?? 0
}

describe('the health of a plugin', () => {
  it('suffers from what the plugin did, and from nothing that was done to it', () => {
    const health = new PluginHealth(
      () => assert.fail('quarantined'),
      () => assert.fail('told'),
    )
    const others: Failure[] = [
      { ...threw(), fault: 'host' },
      { ...threw('internal'), fault: 'host' },
      { ...threw('unavailable'), fault: 'database' },
      { ok: false, kind: 'timeout', fault: 'database' },
      { ok: false, kind: 'timeout', fault: 'machine' },
      { ok: false, kind: 'killed', cause: 'plugin_restarted' },
      { ok: false, kind: 'limit', limit: 'queue' },
    ]
    for (const failure of others)
      for (let count = 0; count < 50; count++) assert.equal(health.record('a', 1, { ...failure, ...cost }), undefined)
    assert.deepEqual([health.state('a'), health.enter('a', 1).refusal], ['closed', undefined])
  })

  it('is judged by what was measured, what was thrown and what took too long, each by itself', () => {
    const health = new PluginHealth(
      () => undefined,
      () => undefined,
    )
    const signs = [
      threw(),
      threw('not_found'),
      { ok: false, kind: 'timeout' } as const,
      { ok: false, kind: 'limit', limit: 'cpu' } as const,
      { ok: false, kind: 'limit', limit: 'memory' } as const,
      { ok: false, kind: 'limit', limit: 'host_calls' } as const,
    ].map((failure) => health.record('a', 1, { ...failure, ...cost }))
    assert.deepEqual(signs, ['error', 'ok', 'limit', 'spent', 'spent', 'limit'])
  })
})

describe('time that was lost', () => {
  it('is known to whoever asks first after a pause, and forgotten for what began later', () => {
    let now = 1_000
    using lost = new LostTime(() => now)
    now += 250
    assert.equal(lost.since(1_000), 0)
    now += 15_000
    assert.equal(lost.since(1_000), 14_900)
    assert.equal(lost.since(now - 500), 500)
    assert.equal(lost.since(now), 0)
  })
})

describe('the blame for time', () => {
  it('is that of a host call which took most of it, and of none that was only left behind', () => {
    const whose = (operation: string, forMs: number): unknown => {
      const pending = newPending({ ...({} as Call), limits: { ...tight, wallMs: 10_000 } }, false, () => undefined)
      pending.asked = new Map([['1', { operation, argument: '{}', at: performance.now() - forMs }]])
      const outcome = withFault({ ok: false, kind: 'timeout', ...cost }, pending)
      return !outcome.ok && outcome.fault
    }
    const waits = [
      ['db.run', 6_000],
      ['cache.get', 6_000],
      ['db.run', 10],
      ['http.fetch', 6_000],
      ['ai.chat', 6_000],
    ] as const
    assert.deepEqual(
      waits.map(([operation, forMs]) => whose(operation, forMs)),
      ['database', 'host', undefined, undefined, undefined],
    )
  })
})

describe('a call whose time went by waiting for the platform', () => {
  it('tells whether what it had sent may be saved all the same', () => {
    const awaited = (operation: string, argument: object | string): unknown => {
      const pending = newPending({ ...({} as Call), limits: { ...tight, wallMs: 10_000 } }, false, () => undefined)
      const text = typeof argument === 'string' ? argument : JSON.stringify(argument)
      pending.asked = new Map([['1', { operation, argument: text, at: performance.now() - 6_000 }]])
      const outcome = withFault({ ok: false, kind: 'timeout', ...cost }, pending)
      return !outcome.ok && outcome.kind === 'timeout' && outcome.awaited
    }
    const waits = [
      ['db.begin', {}, 'other'],
      ['db.query', { operation: 'select' }, 'other'],
      ['db.query', { operation: 'insert', tx: '1' }, 'other'],
      ['db.query', { operation: 'insert' }, 'saving'],
      ['db.query', 'null', 'saving'],
      ['db.query', 'no JSON', 'saving'],
      ['db.commit', { tx: '1' }, 'saving'],
      ['storage.get', {}, 'other'],
      ['storage.put', {}, 'saving'],
      ['events.publish', {}, 'saving'],
      ['http.fetch', {}, undefined],
    ] as const
    assert.deepEqual(
      waits.map(([operation, argument]) => awaited(operation, argument)),
      waits.map(([, , expected]) => expected),
    )
  })
})

describe('the blame for a call that failed', function () {
  this.timeout(30_000)

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

  it('is nobody’s when a sandbox host stays stopped: it is replaced, and the next calls are answered', async () => {
    const kills: unknown[] = []
    await using sandbox = await startSandbox({ lanes: 1, onKill: (kill) => kills.push(kill) })
    const code = await sandbox.install('steady', handlerModule('if (request.wait) await ctx.cache.get("a"); return 1'))
    const never = (): Promise<HostAnswer> => new Promise(() => undefined)
    const held = sandbox.call(code, { host: never, input: '{"wait":true}' })
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
