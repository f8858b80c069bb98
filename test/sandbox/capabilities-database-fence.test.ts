// @both-back-ends
import { deepEqual, equal, match, rejects } from 'node:assert/strict'
import knex, { type Knex } from 'knex'
import { createDatabaseCapability } from '../../sandbox/broker/database.ts'
import { until } from '../support/until.ts'
import { grantsOf, GuestCalls } from './capabilities-call.ts'
import { refusedStatements } from './capabilities-database-attacks.ts'
import { startDatabasePlugin, type DatabasePlugin } from './capabilities-database-plugin.ts'
import { harmlessTexts, refusedValues } from './capabilities-database-values.ts'

describe('the fence around a guest’s tables', () => {
  let plugin: DatabasePlugin
  const as = (tenantId: number): GuestCalls => new GuestCalls(plugin.capability, { tenantId })

  before(async () => {
    plugin = await startDatabasePlugin(200)
    await plugin.knex('secrets').insert({ secret: 'of the platform' })
  })
  after(() => plugin[Symbol.asyncDispose]())

  it(`refuses ${refusedStatements.length} statements before they are sent`, async () => {
    const calls = as(1)
    const answers = await Promise.all(
      refusedStatements.map(async ({ tries, statement }) => [tries, await calls.ask('db.query', statement)]),
    )
    deepEqual(
      answers,
      refusedStatements.map(({ tries }) => [tries, 'bad_request statement_invalid']),
    )
  })

  it(`refuses ${refusedValues.length} values that do not fit their column`, async () => {
    const calls = as(1)
    for (const { tries, statement } of refusedValues) {
      match(
        String(await calls.ask('db.query', statement)),
        /^(invalid value_invalid|bad_request (statement|argument)_invalid)$/,
        tries,
      )
    }
  })

  it('takes texts that look like SQL for texts', async () => {
    const values = harmlessTexts.map((title) => ({ title, data: { [title]: title }, tags: [title] }))
    const answer = (await as(1).ask('db.query', { table: 'notes', operation: 'insert', values })) as {
      rows: { title: string }[]
    }
    deepEqual(
      answer.rows.map(({ title }) => title),
      harmlessTexts,
    )
    for (const title of harmlessTexts) {
      const where = [{ column: 'title', operator: '=', value: title }]
      const found = await as(1).ask('db.query', {
        table: 'notes',
        operation: 'select',
        columns: ['title', 'data', 'tags'],
        where,
      })
      deepEqual(found, { rows: [{ title, data: { [title]: title }, tags: [title] }], count: 1 })
    }
    equal(
      await plugin
        .knex('secrets')
        .count('*')
        .first()
        .then((row) => row?.['count']),
      '1',
    )
  })

  it('gives the role its own rows and nothing else of the database', async () => {
    const db: Knex = knex({ client: 'pg', connection: plugin.roleUrl, pool: { min: 0, max: 1 } })
    const table = String((await db('pg_class').whereLike('relname', 'plg\\_%\\_notes').pluck<string[]>('relname'))[0])
    for (const sql of [
      'select * from secrets',
      'create table x (a int)',
      `drop table ${table}`,
      `truncate ${table}`,
      'create role x',
      `alter table ${table} disable row level security`,
    ]) {
      await rejects(db.raw(sql), /permission denied|must be owner/, sql)
    }
    deepEqual((await db.raw<{ rows: unknown[] }>(`select * from ${table}`)).rows, [])
    await rejects(db.raw('select pg_sleep(30)'), /statement timeout/)
    await db.destroy()
  })

  it('opens one transaction of those asked for at once, and lets go of it with the call', async () => {
    const calls = as(1)
    const answers = await Promise.all(Array.from({ length: 4 }, () => calls.ask('db.begin')))
    equal(answers.filter((answer) => answer === 'conflict transaction_open').length, 3)
    calls.end()
    // Both connections of the plugin's pool are free again.
    const others = [as(1), as(2)]
    const opened = await Promise.all(others.map((other) => other.ask('db.begin')))
    for (const answer of opened) equal(typeof answer, 'object', String(answer))
    for (const other of others) other.end()
  })

  it('commits and rolls back transactions, and sees its own writes in them', async () => {
    const calls = as(7)
    const insert = (title: string): object => ({ table: 'notes', operation: 'insert', values: [{ title }] })
    const count = { table: 'notes', operation: 'select', aggregates: [{ fn: 'count', as: 'n' }] }
    const { tx } = (await calls.ask('db.begin')) as { tx: string }
    await calls.ask('db.query', { tx, ...insert('kept') })
    deepEqual(await calls.ask('db.query', { tx, ...count }), { rows: [{ n: 1 }], count: 1 })
    equal(await calls.ask('db.begin'), 'conflict transaction_open')
    equal(await calls.ask('db.commit', { tx }), null)
    const second = (await calls.ask('db.begin')) as { tx: string }
    await calls.ask('db.query', { ...second, ...insert('gone') })
    equal(await calls.ask('db.rollback', second), null)
    equal(await calls.ask('db.query', { ...second, ...insert('late') }), 'conflict transaction_over')
    equal(await calls.ask('db.commit', { tx: 'made-up' }), 'conflict transaction_over')
    equal(await calls.ask('db.rollback', { tx: 'made-up' }), null)
    deepEqual(await calls.ask('db.query', count), { rows: [{ n: 1 }], count: 1 })
  })

  it('keeps a transaction to its call, its time and its number of statements', async () => {
    const count = { table: 'notes', operation: 'select', aggregates: [{ fn: 'count', as: 'n' }] }
    const calls = new GuestCalls(plugin.capability, { limits: { transactionStatements: 2, transactionMs: 300 } })
    const { tx } = (await calls.ask('db.begin')) as { tx: string }
    equal(await as(1).ask('db.query', { tx, ...count }), 'conflict transaction_over')
    await calls.ask('db.query', { tx, ...count })
    await calls.ask('db.query', { tx, ...count })
    equal(await calls.ask('db.query', { tx, ...count }), 'rate_limited transaction_statements')
    await until(async () => (await calls.ask('db.commit', { tx })) === 'conflict transaction_over')
    const ending = new GuestCalls(plugin.capability, { tenantId: 8 })
    const opened = (await ending.ask('db.begin')) as { tx: string }
    await ending.ask('db.query', { ...opened, table: 'notes', operation: 'insert', values: [{ title: 'gone' }] })
    ending.end()
    await until(async () => JSON.stringify(await as(8).ask('db.query', count)) === '{"rows":[{"n":0}],"count":1}')
  })

  it('is asked how full its tables are by whoever has a connection, so that nobody waits for who waits', async () => {
    // Nobody has asked yet.
    const fresh = createDatabaseCapability(plugin.pools, 'acme.notes', grantsOf({ tables: ['lines'] }))
    const insert = { table: 'lines', operation: 'insert', values: [{ note: 1 }] }
    const holders = [new GuestCalls(fresh, { tenantId: 11 }), new GuestCalls(fresh, { tenantId: 11 })]
    const opened = await Promise.all(holders.map((call) => call.ask('db.begin') as Promise<object>))
    const waiting = new GuestCalls(fresh, { tenantId: 11 }).answer('db.query', insert)
    const inserted = await Promise.all(holders.map((call, at) => call.answer('db.query', { ...opened[at], ...insert })))
    await Promise.all(holders.map((call, at) => call.ask('db.commit', opened[at])))
    deepEqual(
      [...inserted, await waiting].map(({ ok }) => ok),
      [true, true, true],
    )
  })

  it('holds no more connections than two, and none when idle', async () => {
    const db = plugin.knex
    const held = async (): Promise<number> =>
      Number(
        (
          await db('pg_stat_activity')
            .where({ application_name: 'stoa acme.notes' })
            // Other databases of this server have plugins of that name too.
            .whereRaw('datname = current_database()')
            .count('*')
            .first()
        )?.['count'],
      )
    const isIdle = async () => plugin.pools.openPlugins.length === 0 && (await held()) === 0
    await until(isIdle)
    const count = { table: 'notes', operation: 'select', aggregates: [{ fn: 'count', as: 'n' }] }
    await Promise.all(Array.from({ length: 20 }, () => as(1).ask('db.query', count)))
    equal((await held()) <= 2, true)
    await until(isIdle)
    deepEqual(await as(99).ask('db.query', count), { rows: [{ n: 0 }], count: 1 })
  })

  it('drops the role with all it was granted', async () => {
    await plugin.pools.close('acme.notes')
    deepEqual([await plugin.dropRole(), await plugin.dropRole()], [true, false])
  })
})
