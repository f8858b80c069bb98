import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { openDatabase } from '../../../kernel/data/database.ts'
import { allowTime } from '../../../kernel/data/transaction-time.ts'
import { createTestDatabase } from '../../support/cluster.ts'
import { silentLog } from '../../support/kernel.ts'
import { serverOf, startTcpProxy } from '../../support/tcp-proxy.ts'
import { until } from '../../support/until.ts'

const unavailable = { code: 5030, reason: 'database_unavailable' }
const one = 'select 1 as one'

describe('a database that says nothing', () => {
  it('ends every wait while it is silent, and answers everybody once it is well', async () => {
    await using test = await createTestDatabase()
    await using wire = await startTcpProxy(serverOf(test.url))
    await using database = await openDatabase({ url: wire.through(test.url), poolSize: 4, log: silentLog })
    const ask = (): Promise<unknown> => Promise.resolve(database.knex.raw(one))
    await Promise.all([ask(), ask(), ask(), ask()])
    wire.swallow()
    const asked = await Promise.allSettled(Array.from({ length: 12 }, ask))
    assert.deepEqual(
      asked.map((end) => end.status === 'rejected' && (end.reason as { code?: unknown }).code),
      Array(12).fill(5030),
    )
    // What was on its way when the wire was mended stays lost: nobody is told by a reset.
    const before = wire.swallowed
    const late = Promise.allSettled(Array.from({ length: 12 }, ask))
    await until(() => wire.swallowed > before)
    wire.resume()
    await late
    await Promise.all(Array.from({ length: 12 }, ask))
  })

  it('is asked whether it is busy: what takes long goes on, what got lost does not', async () => {
    await using test = await createTestDatabase()
    await using wire = await startTcpProxy(serverOf(test.url))
    await using database = await openDatabase({ url: wire.through(test.url), poolSize: 2, log: silentLog })
    const slow = database.knex.raw('select pg_sleep(4)')
    const lost = database.knex.transaction(async (trx) => {
      wire.follow((piece) => (piece.includes('select 2') ? 'swallow' : 'pass'))
      await trx.raw('select 2')
    })
    await assert.rejects(lost, unavailable)
    await slow
  })

  it('is not given up for its refusing others', async () => {
    await using test = await createTestDatabase()
    await using wire = await startTcpProxy(serverOf(test.url))
    await using database = await openDatabase({ url: wire.through(test.url), poolSize: 1, log: silentLog })
    await database.knex.raw(one)
    const slow = Promise.resolve(database.knex.raw('select pg_sleep(4)'))
    wire.refuse()
    await slow
  })

  it('ends a statement past its time, and lets a transaction say how long its statements may take', async () => {
    await using test = await createTestDatabase()
    const times = { poolSize: 1, statementMs: 1500, log: silentLog }
    await using database = await openDatabase({ url: test.url, ...times })
    const slow = `select pg_sleep(3)`
    await assert.rejects(database.knex.raw(slow), { code: '57014' })
    await database.knex.transaction(async (trx) => {
      await allowTime(trx, 20_000)
      await trx.raw(slow)
    })
    await assert.rejects(database.knex.raw(slow), { code: '57014' })
  })

  it('gives up on a connection whose server does not end a statement itself', async () => {
    await using test = await createTestDatabase()
    await using database = await openDatabase({ url: test.url, poolSize: 1, statementMs: 1500, log: silentLog })
    const stubborn = database.knex.transaction(async (trx) => {
      await trx.raw('set local statement_timeout = 0')
      await trx.raw('select pg_sleep(60)')
    })
    await assert.rejects(stubborn, unavailable)
    await database.knex.raw(one)
  })

  it('is not taken for silent because this process itself stood still', async () => {
    await using test = await createTestDatabase()
    const pool = { poolSize: 1, acquireTimeoutMs: 4500, log: silentLog }
    await using database = await openDatabase({ url: test.url, role: 'plugin', ...pool })
    const ask = (): Promise<unknown> => Promise.resolve(database.knex.raw(one))
    // While it lets somebody in, and while one waits for the only connection.
    const asked = Promise.all([ask(), ask()])
    await new Promise(setImmediate)
    standStill(5000)
    await asked
    const waiting = Promise.all([database.knex.raw('select pg_sleep(1)'), ask()])
    await new Promise(setImmediate)
    standStill(5000)
    await waiting
  })

  it('is told apart from a pool that is used up', async () => {
    await using test = await createTestDatabase()
    const pool = { poolSize: 1, acquireTimeoutMs: 1000, log: silentLog }
    await using database = await openDatabase({ url: test.url, role: 'plugin', ...pool })
    await database.knex.transaction(async () => {
      await assert.rejects(database.knex.raw(one), { code: 5030, reason: 'unavailable' })
    })
    await database.knex.raw(one)
  })

  it('does not let a start wait for it', async () => {
    const sockets = new Set<Socket>()
    const server = createServer((socket) => void sockets.add(socket.on('error', () => undefined))).listen(
      0,
      '127.0.0.1',
    )
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const url = `postgres://stoa:stoa@127.0.0.1:${port}/stoa`
    await assert.rejects(openDatabase({ url, poolSize: 1, log: silentLog }), {
      name: 'StartError',
      message: 'The database cannot be reached: it does not answer',
    })
    for (const socket of sockets) socket.destroy()
    server.close()
  })
})

/** Neither timers nor answers are looked at meanwhile, as in a process that was stopped. */
function standStill(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}
