// @both-back-ends
import assert from 'node:assert/strict'
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openDatabase, type Database } from '../../../kernel/data/database.ts'
import { migrate } from '../../../kernel/data/migrate.ts'
import { refuseNewerSchema } from '../../../kernel/data/newer-schema.ts'
import { createTestDatabase, type TestDatabase } from '../../support/cluster.ts'
import { recordingLog } from '../../support/recording-log.ts'

describe('migrate', () => {
  let test: TestDatabase
  let database: Database
  let folder: string

  beforeEach(async () => {
    test = await createTestDatabase()
    database = await open()
    folder = await mkdtemp(path.join(tmpdir(), 'stoa-migrations-'))
  })
  afterEach(async () => {
    await rm(folder, { recursive: true })
    await database[Symbol.asyncDispose]()
    await test[Symbol.asyncDispose]()
  })

  const open = (): Promise<Database> => openDatabase({ url: test.url, poolSize: 1, log: recordingLog().log })
  const write = (name: string, ...statements: string[]): Promise<void> => {
    const lines = statements.map((statement) => `  await knex.raw(${JSON.stringify(statement)})`)
    return writeFile(path.join(folder, name), ['export async function up(knex) {', ...lines, '}'].join('\n'))
  }
  const records = (): Promise<string[]> => database.knex('schema_migrations').orderBy('name').pluck('name')
  const { log } = recordingLog()

  it('runs each file once, in the order of the names, and records it', async () => {
    await write('002_fill.ts', 'insert into things values (1)')
    await write('001_create.ts', 'create table things (id int)')
    await migrate(database.knex, 'things', folder, log)
    await write('003_more.ts', 'insert into things values (2)')
    await migrate(database.knex, 'things', folder, log)
    await migrate(database.knex, 'things', folder, log)
    assert.deepEqual(
      { ids: await database.knex('things').orderBy('id').pluck('id'), records: await records() },
      { ids: [1, 2], records: ['001_create.ts', '002_fill.ts', '003_more.ts'] },
    )
  })

  it('runs nothing again that it inherited, and runs it where the one before never did', async () => {
    await write('001_create.ts', 'create table things (id int)')
    await migrate(database.knex, 'before', folder, log)
    await rename(path.join(folder, '001_create.ts'), path.join(folder, '001_made.ts'))
    await write('002_new.ts', 'create table new_things (id int)')
    const inherited = { from: 'before', migrations: { '001_made.ts': '001_create.ts', '002_new.ts': '002_never.ts' } }
    await migrate(database.knex, 'after', folder, log, inherited)
    const rows = await database.knex('schema_migrations').orderBy(['plugin', 'name']).select('plugin', 'name')
    assert.deepEqual(rows, [
      { plugin: 'after', name: '001_made.ts' },
      { plugin: 'after', name: '002_new.ts' },
      { plugin: 'before', name: '001_create.ts' },
    ])
    assert.deepEqual(await database.knex('new_things'), [])
    const whole = [{ name: 'after', migrations: folder, inherited }]
    await refuseNewerSchema(database.knex, whole, true)
    await assert.rejects(refuseNewerSchema(database.knex, [{ name: 'after', migrations: folder }], true), /001_create/)
  })

  it('asks nothing of the database where a start found all of them done, and runs what it did not find', async () => {
    await write('001_create.ts', 'create table things (id int)')
    const plugin = [{ name: 'things', migrations: folder }]
    assert.deepEqual(await refuseNewerSchema(database.knex, plugin, true), new Map())
    await migrate(database.knex, 'things', folder, log)
    const done = await refuseNewerSchema(database.knex, plugin, true)
    const asked: string[] = []
    database.knex.on('query', ({ sql }: { sql: string }) => asked.push(sql))
    await migrate(database.knex, 'things', folder, log, undefined, done)
    assert.deepEqual(asked, [])
    await write('002_fill.ts', 'insert into things values (1)')
    await migrate(database.knex, 'things', folder, log, undefined, done)
    assert.deepEqual([await records(), asked.length > 0], [['001_create.ts', '002_fill.ts'], true])
  })

  it('takes back a migration that fails, keeps those before it, and goes on from there', async () => {
    await write('001_create.ts', 'create table things (id int)')
    await write('002_wrong.ts', 'insert into things values (1)', 'select 1 / 0')
    await assert.rejects(migrate(database.knex, 'things', folder, log), (error: Error & { code?: number }) => {
      assert.deepEqual(
        [error.code, error.message, error.cause instanceof Error],
        [5007, 'The migration 002_wrong.ts of things failed', true],
      )
      return true
    })
    const count = (): Promise<unknown[]> => database.knex('things').pluck('id')
    assert.deepEqual([await count(), await records()], [[], ['001_create.ts']])
    await write('003_right.ts', 'select 1')
    await rm(path.join(folder, '002_wrong.ts'))
    await migrate(database.knex, 'things', folder, log)
    assert.deepEqual(await records(), ['001_create.ts', '003_right.ts'])
  })

  it('takes a default export too, and refuses a file without a migration', async () => {
    await writeFile(
      path.join(folder, '001_default.ts'),
      'export default { up: (knex) => knex.schema.createTable("things", (table) => table.increments()) }',
    )
    await migrate(database.knex, 'things', folder, log)
    assert.deepEqual(await database.knex('things'), [])
    await writeFile(path.join(folder, '002_empty.ts'), 'export const down = 1')
    await assert.rejects(migrate(database.knex, 'things', folder, log), { reason: 'migration_failed' })
  })

  it('runs each file once when two hosts start at once', async () => {
    await write('001_create.ts', 'create table things (id serial)', 'select pg_sleep(0.1)')
    await write('002_fill.ts', 'insert into things default values')
    await using other = await open()
    await Promise.all([database, other].map(({ knex }) => migrate(knex, 'things', folder, log)))
    assert.deepEqual(await database.knex('things').pluck('id'), [1])
  })

  it('keeps the plugins apart', async () => {
    await write('001_create.ts', 'create table if not exists things (id serial)', 'insert into things default values')
    await migrate(database.knex, 'one', folder, log)
    await migrate(database.knex, 'two', folder, log)
    assert.deepEqual(await database.knex('things').pluck('id'), [1, 2])
  })
})
