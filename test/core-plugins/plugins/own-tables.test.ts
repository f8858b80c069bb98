import assert from 'node:assert/strict'
import { tableName } from '#sandbox'
import pluginsPlugin from '../../../core-plugins/plugins/index.ts'
import { createOwnTables, listOwnTables } from '../../../core-plugins/plugins/tables/own-tables.ts'
import { openDatabase, type Database } from '../../../kernel/data/database.ts'
import { createTestDatabase, type TestDatabase } from '../../support/cluster.ts'
import { silentLog } from '../../support/kernel.ts'
import { migratedFor } from '../../support/migrated.ts'

const name = 'acme.moved'
const table = tableName(name, 'rows')
const create = `create table ${table} (tenant_id integer, body text)`

describe('migrations of a plugin that fail', () => {
  let test: TestDatabase
  let database: Database

  before(async () => {
    test = await createTestDatabase(migratedFor([pluginsPlugin], silentLog))
    database = await openDatabase({ url: test.url, poolSize: 4, log: silentLog })
  })
  after(async () => {
    await database[Symbol.asyncDispose]()
    await test[Symbol.asyncDispose]()
  })

  /** What comes of migrations of one release, each of these statements. */
  async function refused(...migrations: readonly (readonly string[])[]): Promise<unknown> {
    const release = {
      manifest: { name, version: '1.0.0', db: { tables: ['rows'] } },
      migrations: migrations.map((up, at) => ({
        id: `000${at + 1}_a`,
        up: up.map((sql) => ({ sql, line: 1 })),
        down: undefined,
      })),
    }
    const run = database.knex.transaction((trx) => createOwnTables(trx, release, 'a password that is long enough'))
    return run.then(
      () => assert.fail('nothing failed'),
      ({ reason, values }: { reason: string; values: unknown }) => [reason, values],
    )
  }

  it('leave nothing of those before them', async () => {
    const why = 'relation "nowhere" does not exist'
    assert.deepEqual(await refused([create], ['select 1 from nowhere']), [
      'plugin_migration_failed',
      { migration: '0002_a', why },
    ])
    assert.deepEqual([await listOwnTables(database.knex, name), await database.knex('plugin_migrations')], [[], []])
  })

  it('show no value of a row', async () => {
    const insert = `insert into ${table} values (0, 'Ann "A" Smith')`
    const convert = `alter table ${table} alter column body type integer using body::integer`
    assert.deepEqual(await refused([create, insert, convert]), [
      'plugin_migration_failed',
      { migration: '0001_a', why: 'invalid input syntax for type integer: "…"' },
    ])
  })
})
