import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'

import type { HostAnswer, Outcome } from '../../sandbox/wire/call.ts'
import { essence, handlerModule, startSandbox, stuckSource, tight, until } from './host-releases.ts'

const answered: HostAnswer = { ok: true, value: 'null' }

describe('the pool of sandbox hosts', () => {
  it('hands a call’s input, ctx, host calls and logs to and fro', async () => {
    await using sandbox = await startSandbox()
    const body = `
      ctx.log.warn('about to', { n: 1 })
      const row = await db.table('t').where('a', 1).orderBy('b', 'desc').limit(2)
      return { request, tenant: ctx.tenant, got: await ctx.storage.get('key').catch((error) => [error.name, error.code, error.message, error.details]) }`
    const code = await sandbox.install('plain', handlerModule(body))
    const operations: unknown[] = []
    const lines: unknown[] = []
    const outcome = await sandbox.call(code, {
      input: '{"body":"grüße €"}',
      onLog: (more) => lines.push(...more),
      host: (operation, argument) => {
        operations.push([operation, JSON.parse(argument)])
        if (operation === 'db.query') return Promise.resolve({ ok: true, value: '{"rows":[],"count":0}' })
        return Promise.resolve({ ok: false, code: 'not_found', message: 'none', details: { key: 1 } })
      },
    })
    assert.deepEqual(essence(outcome), {
      ok: true,
      hostCalls: 2,
      value: '{"request":{"body":"grüße €"},"tenant":{"id":1},"got":["PluginError","not_found","none",{"key":1}]}',
    })
    const where = [{ column: 'a', operator: '=', value: 1 }]
    const statement = {
      table: 't',
      operation: 'select',
      where,
      orderBy: [{ column: 'b', direction: 'desc' }],
      limit: 2,
    }
    assert.deepEqual(operations, [
      ['db.query', statement],
      ['storage.get', { key: 'key' }],
    ])
    assert.deepEqual(lines, [{ level: 'warn', message: 'about to', data: { n: 1 } }])
  })

  it('commits a transaction that ends well and rolls back one that throws', async () => {
    await using sandbox = await startSandbox()
    const body = `
      await db.tx((t) => t.table('t').insert({ a: 1 }))
      await db.tx(async () => { throw new Error('no') }).catch(() => {})`
    const code = await sandbox.install('transactions', handlerModule(body))
    const operations: unknown[] = []
    await sandbox.call(code, {
      host: (operation, argument) => {
        operations.push([operation, JSON.parse(argument)])
        return Promise.resolve({ ok: true, value: operation === 'db.begin' ? '{"tx":"t1"}' : '{"rows":[],"count":1}' })
      },
    })
    assert.deepEqual(operations, [
      ['db.begin', {}],
      ['db.query', { table: 't', operation: 'insert', tx: 't1', values: [{ a: 1 }] }],
      ['db.commit', { tx: 't1' }],
      ['db.begin', {}],
      ['db.rollback', { tx: 't1' }],
    ])
  })

  it('tells what a handler threw as plain data', async () => {
    await using sandbox = await startSandbox()
    const body = `throw Object.assign(new TypeError('bad'), { code: 'conflict', reason: 'twice', status: 409, details: { a: [1] } })`
    const outcome = await sandbox.call(await sandbox.install('throws', handlerModule(body)))
    assert.equal(outcome.ok, false)
    assert.ok(!outcome.ok && outcome.kind === 'threw')
    const { stack, ...error } = outcome.error
    const expected = { name: 'TypeError', message: 'bad', code: 'conflict', reason: 'twice', status: 409 }
    assert.deepEqual(error, { ...expected, details: { a: [1] } })
    assert.match(stack ?? '', /plugin:index\.js/)
  })

  it('aborts the signal of host calls when the call ends', async () => {
    await using sandbox = await startSandbox()
    const code = await sandbox.install('aborts', handlerModule('ctx.cache.get("a"); await null; return 1'))
    const aborted = Promise.withResolvers<void>()
    await sandbox.call(code, {
      host: (_operation, _argument, signal) =>
        new Promise(() => signal.addEventListener('abort', () => aborted.resolve(), { once: true })),
    })
    await aborted.promise
  })

  it('lets no more host calls out at once than allowed', async () => {
    await using sandbox = await startSandbox()
    const body = 'return (await Promise.all(Array.from({ length: 20 }, () => ctx.cache.get("a")))).length'
    const code = await sandbox.install('at-once', handlerModule(body))
    let running = 0
    let most = 0
    const outcome = await sandbox.call(code, {
      host: async () => {
        most = Math.max(most, ++running)
        await pause(1)
        running--
        return answered
      },
    })
    assert.deepEqual([outcome.ok && outcome.value, most], ['20', tight.hostCallsInFlight])
  })

  it('runs so many calls of a plugin and a tenant, queues so many, and refuses the rest', async () => {
    await using sandbox = await startSandbox()
    const code = await sandbox.install('queue', handlerModule('return ctx.cache.get("a")'))
    const gate = Promise.withResolvers<HostAnswer>()
    const host = (): Promise<HostAnswer> => gate.promise
    const limits = { ...tight, wallMs: 5_000, concurrency: 2, tenantConcurrency: 1, queue: 1 }
    const call = (tenant: string): Promise<Outcome> => sandbox.call(code, { host, tenant, limits })
    const running = [call('1'), call('2')]
    const queued = [call('1'), call('3')]
    const refused = [await call('1'), await call('3')]
    const counts = (): number[] => [sandbox.pool.stats().running, sandbox.pool.stats().queued]
    await until(() => counts().join() === '2,2')
    gate.resolve(answered)
    const done = await Promise.all([...running, ...queued])
    assert.deepEqual(refused.map(essence), [
      { ok: false, kind: 'limit', limit: 'queue', hostCalls: 0 },
      { ok: false, kind: 'limit', limit: 'concurrency', hostCalls: 0 },
    ])
    assert.deepEqual(
      done.map((outcome) => outcome.ok),
      [true, true, true, true],
    )
    assert.deepEqual(counts(), [0, 0])
  })

  it('answers calls that waited for their turn when their host was killed before it came', async () => {
    await using sandbox = await startSandbox({ lanes: 1 })
    const code = await sandbox.install('waits', handlerModule(`return request.attack ? ${stuckSource} : 'fine'`))
    // It spends its CPU time within this on a busy machine too, where the host takes seconds to begin.
    const limits = { ...tight, wallMs: 60_000, concurrency: 1, tenantConcurrency: 1 }
    const attack = sandbox.call(code, { limits, input: '{"attack":true}' })
    const waiting = Array.from({ length: 5 }, () => sandbox.call(code, { limits }))
    assert.deepEqual(essence(await attack), { ok: false, kind: 'limit', limit: 'cpu', hostCalls: 0 })
    const outcomes = await Promise.all(waiting)
    assert.deepEqual(
      outcomes.map((outcome) => outcome.ok && outcome.value),
      Array(5).fill('"fine"'),
    )
  })

  it('runs a plugin apart after it brought a host down, until it was clean for a while', async () => {
    await using sandbox = await startSandbox({ lanes: 1, penaltyMs: 15_000 })
    const code = await sandbox.install('apart', handlerModule(`if (request.loop) ${stuckSource}; return 1`))
    await sandbox.call(code, { input: '{"loop":true}', limits: { ...tight, wallMs: 12_000 } })
    await sandbox.call(code)
    assert.deepEqual(
      sandbox.pool.stats().lanes.map(({ name }) => name),
      ['penalty-0'],
    )
    await until(() => sandbox.pool.stats().lanes.length === 0)
    await sandbox.call(code)
    assert.deepEqual(
      sandbox.pool.stats().lanes.map(({ name }) => name),
      ['shared-0'],
    )
  })

  it('answers the next call after a host was killed from outside', async () => {
    await using sandbox = await startSandbox({ lanes: 1 })
    const code = await sandbox.install('steady', handlerModule('return 1'))
    await sandbox.call(code)
    const [lane] = sandbox.pool.stats().lanes
    process.kill(lane?.pid ?? 0, 'SIGKILL')
    assert.equal((await sandbox.call(code, { limits: { ...tight, wallMs: 20_000 } })).ok, true)
  })

  it('forgets a release: waits for its calls, and kills what does not end in time', async () => {
    await using sandbox = await startSandbox({ lanes: 1 })
    const code = await sandbox.install(
      'dropped',
      handlerModule('globalThis.n = (globalThis.n ?? 0) + 1; if (request.wait) await ctx.cache.get("a"); return n'),
    )
    const other = await sandbox.install('other', handlerModule('return 1'))
    const gate = Promise.withResolvers<HostAnswer>()
    const slow = sandbox.call(code, { input: '{"wait":true}', host: () => gate.promise })
    await sandbox.call(other)
    const dropped = sandbox.pool.drop(code.id, 5_000)
    gate.resolve(answered)
    await dropped
    assert.equal((await slow).ok, true)
    const fresh = await sandbox.call(code)
    assert.equal(fresh.ok && fresh.value, '1')

    const limits = { ...tight, wallMs: 5_000, concurrency: 1, tenantConcurrency: 1 }
    const stuck = sandbox.call(code, { input: '{"wait":true}', host: () => new Promise(() => undefined), limits })
    const behind = sandbox.call(code, { limits })
    await sandbox.call(other)
    await sandbox.pool.drop(code.id, 20)
    assert.deepEqual(essence(await stuck), { ok: false, kind: 'killed', cause: 'drain', hostCalls: 1 })
    assert.deepEqual(essence(await behind), { ok: false, kind: 'killed', cause: 'drain', hostCalls: 0 })
    assert.deepEqual(sandbox.pool.stats().kills, { drain: 1 })
  })
})
