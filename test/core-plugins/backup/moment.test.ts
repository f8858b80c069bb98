// @both-back-ends
import assert from 'node:assert/strict'
import knex, { type Knex } from 'knex'
import { takeSnapshot } from '../../../core-plugins/backup/database/snapshot.ts'
import { corePlugins } from '../../../core-plugins/index.ts'
import { objectStorage } from '../../../core-plugins/storage/contract.ts'
import { createTestDatabase, type TestDatabase } from '../../support/cluster.ts'
import { silentLog, startTestKernel } from '../../support/kernel.ts'
import { migratedFor } from '../../support/migrated.ts'
import { discardsIn, hurryDiscards, plugins, read, storageOf } from '../../support/storage.ts'
import { until } from '../../support/until.ts'

describe('the moment of a backup', () => {
  let database: TestDatabase
  let db: Knex

  before(async () => {
    database = await createTestDatabase(migratedFor(corePlugins, silentLog))
    db = knex({ client: 'pg', connection: database.url, pool: { min: 0, max: 3 } })
  })
  after(async () => {
    await db.destroy()
    await database[Symbol.asyncDispose]()
  })

  const waiting = async (): Promise<boolean> => {
    const found = await db('pg_locks')
      .whereRaw('not granted and database = (select oid from pg_database where datname = current_database())')
      .where({ mode: 'AccessShareLock' })
    return found.length > 0
  }

  it('is taken again when a change of tables crossed it, rather than have rows of one form under another', async () => {
    const change = await db.transaction()
    await change.raw('alter table storage_holds add column crossing int')
    await change.raw('truncate storage_snapshots')
    const taking = takeSnapshot(database.url)
    await until(waiting, 30_000)
    await change.commit()
    await using snapshot = await taking
    const table = snapshot.schema.tables.find(({ name }) => name === 'storage_holds')
    assert.ok(table?.columns.includes('"crossing"'))
    await assert.rejects(
      db.transaction(async (trx) => {
        await trx.raw(`set local lock_timeout = '50ms'`)
        await trx.raw('alter table storage_holds drop column crossing')
      }),
      /lock timeout/,
    )
  })

  it('keeps bytes that rows leave behind until the backup has ended', async () => {
    await using host = await startTestKernel({ plugins })
    const store = storageOf(host).open('held', 1)
    await store.put('k', Buffer.from('before'))
    const { knex: rows } = host.kernel.database
    // A job that finds them held queues another before it ends itself.
    const bytes = async (): Promise<number> =>
      new Set((await discardsIn(rows)).flatMap(({ locations }) => locations)).size
    const hold = await host.kernel.services.get(objectStorage).hold()
    await store.put('k', Buffer.from('after'))
    await store.delete('k')
    assert.equal(await bytes(), 2)
    await host.kernel.services.get(objectStorage).snapshots.sweep()
    assert.equal(await bytes(), 2)
    await hold[Symbol.asyncDispose]()
    await hurryDiscards(rows)
    await until(async () => (await bytes()) === 0)
    await store.put('k', Buffer.from('last'))
    assert.equal(await read(store, 'k'), 'last')
  })
})
