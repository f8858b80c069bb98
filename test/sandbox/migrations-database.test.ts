// @both-back-ends
import { deepEqual, equal, rejects } from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Knex } from 'knex'
import { enableTenantRows } from '#kernel'
import { compileMigration, compileMigrations, parseManifest, tableName, type MigrationStep } from '#sandbox'
import { openDatabase, tenantContext } from '../../kernel/data/database.ts'
import { createTestDatabase } from '../support/cluster.ts'
import { recordingLog } from '../support/recording-log.ts'

const plugin = 'acme.sample'
const name = (short: string) => tableName(plugin, short)

async function open() {
  const stack = new AsyncDisposableStack()
  const { url } = stack.use(await createTestDatabase())
  const { knex } = stack.use(await openDatabase({ url, poolSize: 2, log: recordingLog().log }))
  const apply = (steps: readonly MigrationStep[]) =>
    knex.transaction(async (trx) => {
      for (const step of steps) {
        if ('sql' in step) await trx.raw(step.sql).queryContext(tenantContext('all'))
        else await enableTenantRows(trx, step.enableTenantRows)
      }
    })
  let tables: readonly string[] = []
  return {
    knex,
    apply,
    async run(sql: string) {
      const compiled = compileMigration(sql, { plugin, tables })
      await apply(compiled.steps)
      tables = compiled.tables
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

const as = (knex: Knex, tenant: number, short: string) => knex(name(short)).queryContext(tenantContext(tenant))

describe('compiled migrations on a database', () => {
  it('make tables in which tenants share nothing, not even keys', async () => {
    await using db = await open()
    await db.run(`
      create table notes (code varchar(20) primary key, body text);
      create table lines (id serial primary key, note varchar(20) references notes (code) on delete cascade);
      create unique index notes_body on notes (lower(body))`)
    await as(db.knex, 1, 'notes').insert({ code: 'a', body: 'one' })
    await as(db.knex, 2, 'notes').insert({ code: 'a', body: 'one' })
    await as(db.knex, 1, 'notes').insert({ code: 'only-1', body: 'two' })
    deepEqual(await as(db.knex, 2, 'notes').select(), [{ tenant_id: 2, code: 'a', body: 'one' }])
    await rejects(as(db.knex, 1, 'notes').insert({ code: 'a' }), /duplicate key/)
    await rejects(as(db.knex, 1, 'notes').insert({ tenant_id: 2, code: 'b' }), /row-level security/)
    await as(db.knex, 1, 'lines').insert({ note: 'only-1' })
    // The note exists, in another tenant: for this one it does not.
    await rejects(as(db.knex, 2, 'lines').insert({ note: 'only-1' }), /foreign key/)
    deepEqual(await db.knex(name('notes')).select(), [])
  })

  it('change the tables and the rows of every tenant', async () => {
    await using db = await open()
    await db.run('create table notes (id serial primary key, body text, flag boolean)')
    for (const tenant of [1, 2]) await as(db.knex, tenant, 'notes').insert({ body: `of ${tenant}?` })
    await db.run(`
      alter table notes add column title text not null default 'it''s a ?', add unique (title, id), drop column flag;
      alter table notes alter column body set default '-', alter column title type varchar(50);
      alter table notes rename column body to content;
      create table copies (content text, size integer, kept jsonb default '{}'::jsonb);
      create index kept on copies using gin (kept);
      insert into copies (content, size) select upper(content), length(content) from notes where content like '%?';
      insert into copies (content) values ('of nobody');
      update notes set content = coalesce(content, '') where id in (1, 2) and not content is null or id between 5 and 9;
      delete from notes where id > 100;
      alter table copies rename to kept_copies`)
    const copies = await as(db.knex, 2, 'kept_copies').select('content', 'size', 'kept')
    deepEqual(copies, [{ content: 'OF 2?', size: 5, kept: {} }])
    deepEqual(await as(db.knex, 1, 'notes').select('content', 'title'), [{ content: 'of 1?', title: "it's a ?" }])
    deepEqual(await as(db.knex, 0, 'kept_copies').select('content'), [{ content: 'of nobody' }])
    await db.run('drop index kept; drop table kept_copies; drop table notes')
    const left = await db.knex('pg_tables').where('tablename', 'like', 'plg%')
    deepEqual(left, [])
  })

  it('of the guestbook lead there and back', async () => {
    await using db = await open()
    const folder = join(import.meta.dirname, '../fixtures/plugins/guestbook')
    const manifest = parseManifest(await readFile(join(folder, 'manifest.json')))
    const files = ['up', 'down'].map((direction) => `migrations/0001_init.${direction}.sql`)
    const [init] = await compileMigrations(
      { plugin: manifest.name, tables: manifest.db?.tables ?? [] },
      files.map((path) => ({ path, size: 0, read: () => readFile(join(folder, path)) })),
    )
    await db.apply(init?.up ?? [])
    const entries = tableName(manifest.name, 'entries')
    const insert = db.knex(entries).queryContext(tenantContext(1)).insert({ author: 'Ada', message: 'Hello' })
    equal((await insert.returning('id')).length, 1)
    await db.apply(init?.down ?? [])
    equal(await db.knex.schema.hasTable(entries), false)
  })
})
