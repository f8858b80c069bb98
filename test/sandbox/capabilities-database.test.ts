// @both-back-ends
import { deepEqual, equal } from 'node:assert/strict'
import { GuestCalls } from './capabilities-call.ts'
import { startDatabasePlugin, type DatabasePlugin } from './capabilities-database-plugin.ts'

type Statement = Readonly<Record<string, unknown>>
const select = (parts: Statement = {}): Statement => ({ table: 'notes', operation: 'select', ...parts })
const insert = (...values: readonly Statement[]): Statement => ({ table: 'notes', operation: 'insert', values })

describe('a guest with tables of its own', () => {
  let plugin: DatabasePlugin
  const as = (tenantId: number): GuestCalls => new GuestCalls(plugin.capability, { tenantId })
  const query = (tenantId: number, statement: Statement): Promise<unknown> => as(tenantId).ask('db.query', statement)

  before(async () => (plugin = await startDatabasePlugin()))
  after(() => plugin[Symbol.asyncDispose]())
  afterEach(async () => {
    for (const tenant of [0, 1, 2]) {
      await query(tenant, { table: 'notes', operation: 'delete' })
      await query(tenant, { table: 'lines', operation: 'delete' })
    }
  })

  it('writes and reads values of every type', async () => {
    const note = {
      ...{ title: 'a', stars: 3, price: '12.50', big: 9_007_199_254_740_991, done: true, tags: ['x', null, 'y"z'] },
      ...{ data: { isRawInstance: true, list: [1, null] }, photo: { base64: 'AAEC' }, day: '2026-02-03' },
      made: '2026-02-03T04:05:06.007Z',
    }
    const written = (await query(1, insert(note))) as { rows: [{ id: number }]; count: number }
    const { id } = written.rows[0]
    deepEqual(written, { rows: [{ id, ...note }], count: 1 })
    deepEqual(await query(1, select({ where: [{ column: 'id', operator: '=', value: id }] })), written)
  })

  it('keeps whole numbers exact that JSON numbers cannot hold', async () => {
    await query(1, insert({ title: 'a', big: '9223372036854775807' }))
    deepEqual(await query(1, select({ columns: ['big'] })), { rows: [{ big: '9223372036854775807' }], count: 1 })
  })

  it('shows times in UTC with milliseconds, in lists too, and finds by what it was shown', async () => {
    const times = (parts: Statement): Promise<unknown> => query(1, { table: 'times', ...parts })
    const made = '2026-02-03T12:05:06.0074+08:00'
    const utc = '2026-02-03T04:05:06.007Z'
    const big = '9223372036854775807'
    const row = { id: 1, name: 'a', made, local: '2026-02-03 04:05:06', moments: [made, null], bigs: [1, big] }
    const shown = { ...row, made: utc, local: '2026-02-03T04:05:06.000Z', moments: [utc, null] }
    deepEqual(await times({ operation: 'insert', values: [row] }), { rows: [shown], count: 1 })
    const where = [{ column: 'made', operator: '=', value: utc }]
    deepEqual(await times({ operation: 'select', where }), { rows: [shown], count: 1 })
    const orderBy = [{ column: 'made' }]
    deepEqual(await times({ operation: 'select', orderBy, after: [utc] }), { rows: [], count: 0 })
    const aggregates = [{ fn: 'min', column: 'made', as: 'first' }]
    deepEqual(await times({ operation: 'select', aggregates }), { rows: [{ first: utc }], count: 1 })
    const never = { id: 2, name: 'b', made: 'infinity', local: null, moments: [], bigs: null }
    deepEqual(await times({ operation: 'insert', values: [never] }), { rows: [never], count: 1 })
  })

  it('sees and changes the rows of its tenant alone', async () => {
    await query(1, insert({ title: 'one' }))
    await query(2, insert({ title: 'two' }))
    const titles = select({ columns: ['title'] })
    deepEqual(await query(1, titles), { rows: [{ title: 'one' }], count: 1 })
    deepEqual(await query(2, { table: 'notes', operation: 'update', values: [{ stars: 5 }] }), { rows: [], count: 1 })
    deepEqual(await query(2, { table: 'notes', operation: 'delete' }), { rows: [], count: 1 })
    deepEqual(await query(1, select({ columns: ['title', 'stars'] })), { rows: [{ title: 'one', stars: 0 }], count: 1 })
  })

  it('sees every tenant as the platform, and writes as itself alone', async () => {
    await query(1, insert({ title: 'one' }))
    await query(0, insert({ title: 'platform' }))
    const order = [{ column: 'title', direction: 'asc' }]
    deepEqual(await query(0, select({ columns: ['title', 'tenant_id'], orderBy: order })), {
      rows: [
        { title: 'one', tenant_id: 1 },
        { title: 'platform', tenant_id: 0 },
      ],
      count: 2,
    })
    deepEqual(await query(0, { table: 'notes', operation: 'delete' }), { rows: [], count: 1 })
    deepEqual(await query(1, select({ columns: ['title'] })), { rows: [{ title: 'one' }], count: 1 })
  })

  it('meets its own rows alone in an upsert', async () => {
    const upsert = (tenant: number, stars: number): Promise<unknown> =>
      query(tenant, { table: 'notes', operation: 'upsert', values: [{ title: 'same', stars }], conflict: ['title'] })
    await upsert(1, 1)
    await upsert(2, 2)
    await upsert(1, 3)
    const stars = select({ columns: ['stars'] })
    deepEqual(
      [await query(1, stars), await query(2, stars)],
      [
        { rows: [{ stars: 3 }], count: 1 },
        { rows: [{ stars: 2 }], count: 1 },
      ],
    )
  })

  it('groups, sums, orders, pages and joins', async () => {
    await query(1, insert({ title: 'a', stars: 1 }, { title: 'b', stars: 1 }, { title: 'c', stars: 2, big: 7 }))
    const [first] = ((await query(1, select({ orderBy: [{ column: 'title' }] }))) as { rows: { id: number }[] }).rows
    await query(1, { table: 'lines', operation: 'insert', values: [{ note: first?.id, amount: 1.5, page: 'p' }] })
    const page = {
      columns: ['title'],
      orderBy: [{ column: 'stars', direction: 'desc' }, { column: 'title' }],
      limit: 2,
    }
    const total = { fn: 'sum', column: 'stars', as: 'total' }
    deepEqual(
      [
        await query(1, select(page)),
        await query(1, select({ ...page, after: [1, 'a'] })),
        await query(
          1,
          select({ groupBy: ['stars'], aggregates: [{ fn: 'count', as: 'n' }, total], orderBy: [{ column: 'n' }] }),
        ),
        await query(1, {
          ...{ table: 'lines', operation: 'select', columns: ['page', 'notes.title', 'amount'] },
          join: [{ table: 'notes', left: 'note', right: 'notes.id' }],
        }),
        await query(
          1,
          select({
            columns: ['title'],
            where: [{ column: 'title', operator: 'in', value: ['a', 'c', 'z'] }],
            offset: 1,
          }),
        ),
      ],
      [
        { rows: [{ title: 'c' }, { title: 'a' }], count: 2 },
        { rows: [{ title: 'b' }], count: 1 },
        {
          rows: [
            { stars: 2, n: 1, total: 2 },
            { stars: 1, n: 2, total: 2 },
          ],
          count: 2,
        },
        { rows: [{ page: 'p', 'notes.title': 'a', amount: 1.5 }], count: 1 },
        { rows: [{ title: 'c' }], count: 1 },
      ],
    )
  })

  it('never gets more rows or bytes than the limits', async () => {
    const rows = Array.from({ length: 12 }, (_, index) => ({ title: `${index}`, data: 'x'.repeat(100_000) }))
    for (const row of rows) await query(1, insert(row))
    const few = new GuestCalls(plugin.capability, { limits: { rows: 5 } })
    deepEqual(await few.ask('db.query', select({ aggregates: [{ fn: 'count', as: 'n' }] })), {
      rows: [{ n: 12 }],
      count: 1,
    })
    const answer = (await few.ask('db.query', select({ columns: ['title'], limit: 1000 }))) as { count: number }
    equal(answer.count, 5)
    equal(await query(1, select()), 'invalid result_too_large')
    deepEqual(await query(1, select({ columns: ['title'], limit: 0 })), { rows: [], count: 0 })
  })

  it('is told of faults without the words of the server', async () => {
    await query(1, insert({ title: 'a' }))
    const faults = [
      insert({ title: 'a' }),
      insert({ stars: 1 }),
      insert({ title: 'b', stars: -1 }),
      insert({ title: 'b', day: 'never' }),
      insert({ title: 'b', price: '123456789012345.00' }),
      { table: 'notes', operation: 'upsert', values: [{ title: 'x' }], conflict: ['stars'] },
      select({ columns: ['title'], aggregates: [], groupBy: ['stars'] }),
      select({ aggregates: [{ fn: 'min', column: 'done', as: 'least' }] }),
    ]
    const answers = await Promise.all(faults.map((statement) => query(1, statement)))
    deepEqual(answers, [
      'conflict unique_violation',
      'invalid not_null_violation',
      'invalid check_violation',
      'invalid value_invalid',
      'invalid value_invalid',
      'bad_request statement_invalid',
      'bad_request statement_invalid',
      'bad_request statement_invalid',
    ])
    const answer = await as(1).answer('db.query', insert({ title: 'a' }))
    equal(/plg_|Key|duplicate|tenant_id|=\(/.test(JSON.stringify(answer)), false)
  })
})
