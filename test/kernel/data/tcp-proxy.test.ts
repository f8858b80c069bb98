// @both-back-ends
import assert from 'node:assert/strict'
import { openDatabase } from '../../../kernel/data/database.ts'
import { createTestDatabase } from '../../support/cluster.ts'
import { silentLog } from '../../support/kernel.ts'
import { serverOf, startTcpProxy } from '../../support/tcp-proxy.ts'

describe('a wire that can be cut', () => {
  it('passes queries, holds them back, cuts them at what they say, and heals', async () => {
    await using database = await createTestDatabase()
    await using proxy = await startTcpProxy(serverOf(database.url))
    await using db = await openDatabase({ url: proxy.through(database.url), poolSize: 1, log: silentLog })
    assert.equal(await one(db.knex), 1)

    proxy.delay(40)
    const before = performance.now()
    assert.equal(await one(db.knex), 1)
    assert.ok(performance.now() - before >= 75)

    proxy.heal()
    proxy.follow((piece, from) => (from === 'client' && piece.includes('select 1 as one') ? 'reset' : 'pass'))
    await assert.rejects(one(db.knex))

    proxy.cut()
    await assert.rejects(one(db.knex))

    proxy.heal()
    assert.equal(await one(db.knex), 1)
  })
})

async function one(knex: Awaited<ReturnType<typeof openDatabase>>['knex']): Promise<number> {
  return (await knex.raw<{ rows: [{ one: number }] }>('select 1 as one')).rows[0].one
}
