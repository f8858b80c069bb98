// @both-back-ends
import { deepEqual, equal, rejects } from 'node:assert/strict'
import type { Query } from '../../sandbox/sdk/database.ts'
import { GuestCalls } from './capabilities-call.ts'
import { startDatabasePlugin, type DatabasePlugin } from './capabilities-database-plugin.ts'

interface Refused {
  readonly code: string
  readonly message: string
  readonly details: Readonly<Record<string, unknown>>
}

type Send = (operation: string, argument: unknown) => Promise<unknown>
/** What a guest has of them, in one tenant. */
interface OwnTables {
  readonly table: (name: string) => Query
  readonly batch: (queries: readonly unknown[]) => Promise<unknown>
}
interface Glue {
  readonly createQuery: (send: Send, table: string) => Query
  readonly sendBatch: (send: Send, queries: readonly unknown[]) => Promise<unknown>
}
// The glue is plain JavaScript: it is what the SDK's types say of it.
const glue = '../../sandbox/host/guest-query.js'
const { createQuery: queryOf, sendBatch: batchOf } = (await import(glue)) as Glue

describe('the language of a guest’s queries', () => {
  let plugin: DatabasePlugin
  before(async () => {
    plugin = await startDatabasePlugin()
    await as(1)
      .table('notes')
      .insert([
        { title: 'red apple', stars: 1, price: '1.50', tags: ['a'], done: true },
        { title: 'green apple', stars: 2, price: '2.50' },
        { title: '红苹果 and 绿茶', stars: 2 },
        { title: 'こんにちは世界', stars: 5 },
      ])
    await as(2).table('notes').insert({ title: 'red secret', stars: 1 })
    await as(1)
      .table('lines')
      .insert([
        { note: 1, amount: 1.5, page: 'p' },
        { note: 1, amount: 2.5, page: 'q' },
        { note: 2, amount: 4, page: 'p' },
      ])
  })
  after(() => plugin[Symbol.asyncDispose]())

  function as(tenantId: number): OwnTables {
    const calls = new GuestCalls(plugin.capability, { tenantId })
    const send: Send = async (operation, argument) => {
      const answer = await calls.answer(operation, argument)
      if (answer.ok) return JSON.parse(answer.value) as unknown
      throw Object.assign(new Error(answer.message), answer)
    }
    return { table: (name) => queryOf(send, name), batch: (queries) => batchOf(send, queries) }
  }
  const titles = async (query: PromiseLike<readonly object[]>): Promise<unknown> =>
    (await query).map((row) => (row as { title: string }).title)

  it('joins to the left, under names of its own', async () => {
    const rows = as(1)
      .table('notes as n')
      .leftJoin('lines as l', 'n.id', 'l.note')
      .select('n.title as title', 'l.amount as amount')
      .orderBy('n.id')
      .orderBy('l.id')
    deepEqual(await rows, [
      { title: 'red apple', amount: 1.5 },
      { title: 'red apple', amount: 2.5 },
      { title: 'green apple', amount: 4 },
      { title: '红苹果 and 绿茶', amount: null },
      { title: 'こんにちは世界', amount: null },
    ])
    const own = as(1).table('notes as a').join('notes as b', 'a.stars', 'b.stars').where('a.id', '!=', 1)
    equal((await own.select('a.id as first', 'b.id as second').orderBy('a.id').orderBy('b.id')).length, 5)
  })

  it('joins no row of another tenant to the left either', async () => {
    const rows = as(2).table('notes as n').leftJoin('lines as l', 'n.stars', 'l.note').select('n.title', 'l.amount')
    deepEqual(await rows, [{ 'n.title': 'red secret', 'l.amount': null }])
  })

  it('has alternatives in brackets, which open nothing beside them', async () => {
    const notes = (): Query => as(1).table('notes').orderBy('id')
    deepEqual(await titles(notes().where('stars', 5).orWhere('title', 'red apple')), ['red apple', 'こんにちは世界'])
    const either = notes()
      .where('stars', '<', 3)
      .where((some) => some.where({ done: true, stars: 1 }).orWhere('title', 'like', 'green%'))
    deepEqual(await titles(either), ['red apple', 'green apple'])
    deepEqual(await titles(notes().whereNot((some) => some.where('stars', 1).orWhere('stars', 2))), ['こんにちは世界'])
    equal(await as(2).table('notes').where('stars', 1).orWhere('stars', '>', 0).update({ done: true }), 1)
    deepEqual(await titles(notes().where('done', true)), ['red apple'])
  })

  it('tells rows apart, groups and averages', async () => {
    const notes = (): Query => as(1).table('notes')
    deepEqual(await notes().distinct('stars').orderBy('stars'), [{ stars: 1 }, { stars: 2 }, { stars: 5 }])
    const groups = notes().groupBy('stars').count('n').avg('price', 'mean').having('n', '>', 1)
    deepEqual(await groups, [{ stars: 2, n: 2, mean: 2.5 }])
    equal(await notes().avg('stars'), 2.5)
    equal(await notes().where('id', 0).avg('stars'), null)
    equal(await notes().countDistinct('stars'), 3)
  })

  it('adds to numbers however many do so at once, and gives back what it wrote', async () => {
    const { table } = as(1)
    const { id } = (await table('times').insert({ id: 1, name: 'counter', bigs: [1] })) as { id: number }
    const line = (await table('lines').insert({ note: 9, amount: 0, page: 'counter' })) as { id: number }
    await Promise.all(
      Array.from({ length: 10 }, () => as(1).table('lines').where('id', line.id).increment('amount', 0.5)),
    )
    const changed = table('lines')
      .where('id', line.id)
      .update({ page: 'x' })
      .increment('note')
      .returning('note', 'amount', 'page')
    deepEqual(await changed, [{ note: 10, amount: 5, page: 'x' }])
    deepEqual(await table('lines').where('id', line.id).delete().returning('id'), [{ id: line.id }])
    await rejects(async () => table('times').where('id', id).increment('name'), /name is no number/)
    await table('times').delete()
  })

  it('changes nothing where more comes back than may', async () => {
    const few = new GuestCalls(plugin.capability, { tenantId: 1, limits: { rows: 2 } })
    const statement = { table: 'notes', operation: 'update', values: [{ stars: 9 }], returning: ['id'] }
    equal(await few.ask('db.query', statement), 'invalid result_too_large')
    equal(await as(1).table('notes').where('stars', 9).count(), 0)
  })

  it('finds words, also where they are written without spaces, and nothing of what is typed means anything', async () => {
    const notes = (): Query => as(1).table('notes').orderBy('id')
    deepEqual(await titles(notes().search('title', 'apple RED')), ['red apple'])
    deepEqual(await titles(notes().search(['title'], 'apples', { language: 'english' })), ['red apple', 'green apple'])
    deepEqual(await titles(notes().search('title', '苹果')), ['红苹果 and 绿茶'])
    deepEqual(await titles(notes().search('title', '果苹')), [])
    deepEqual(await titles(notes().search('title', '绿茶 苹果')), ['红苹果 and 绿茶'])
    deepEqual(await titles(notes().search('title', '世界')), ['こんにちは世界'])
    deepEqual(await titles(notes().search('title', 'gre', { prefix: true })), ['green apple'])
    deepEqual(await titles(notes().search('title', 'green 世界', { match: 'any' })), ['green apple', 'こんにちは世界'])
    for (const odd of ["' & !", ':*', '<->', '', '  ', "a'b\\c", ')(', '\u0000'])
      deepEqual(await titles(notes().search('title', odd)), [], odd)
    const ranked = as(1).table('notes').search('title', 'apple', { as: 'rank' }).select('title').orderBy('rank', 'desc')
    equal((await ranked).length, 2)
    deepEqual(await titles(as(2).table('notes').search('title', 'apple')), [])
  })

  it('finds e-mails, addresses, paths and numbers as a whole and by each of their words', async () => {
    const { table } = as(1)
    const odd = 'ann.lee+x@mail.example.com https://site.example.org/a-b/c_d.html?q=3.14 <em>loud</em> v1.2.3 -7'
    const { id } = (await table('notes').insert({ title: odd })) as { id: number }
    const found = async (text: string): Promise<unknown> => table('notes').where('id', id).search('title', text).count()
    const texts = ['ann.lee+x@mail.example.com', 'ann', 'example.com', 'https://site.example.org/a-b/c_d.html', 'a-b']
    for (const text of [...texts, 'html', '3.14', 'v1.2.3', '-7', 'loud', 'c_d']) equal(await found(text), 1, text)
    for (const text of ['ann.li@mail.example.com', 'example.net', 'v1.2.4']) equal(await found(text), 0, text)
    equal(await table('notes').where('id', id).search('title', '<em>').count(), 0)
    await table('notes').where('id', id).delete()
  })

  it('pages by a cursor, without missing or repeating a row that comes meanwhile', async () => {
    const seen: unknown[] = []
    let cursor: string | null = null
    do {
      const page = await as(1)
        .table('notes')
        .select('id', 'stars')
        .orderBy('stars', 'desc')
        .orderBy('id')
        .page(2, cursor)
      seen.push(...page.rows.map(({ id }) => id))
      cursor = page.next
    } while (cursor !== null)
    deepEqual(seen, [4, 2, 3, 1])
    await rejects(async () => as(1).table('notes').page(2), { code: 'bad_request' })
    await rejects(async () => as(1).table('notes').orderBy('id').page(2, '{"a":1}'), { code: 'bad_request' })
  })

  it('does a batch as a whole or not at all', async () => {
    const db = as(1)
    const [row, count] = (await db.batch([
      db.table('lines').insert({ note: 7, page: 'batch' }),
      db.table('lines').where('note', 7).count(),
    ])) as [{ note: number }, number]
    deepEqual([row.note, count], [7, 1])
    const broken = db.batch([
      db.table('lines').where('note', 7).delete(),
      db.table('notes').insert({ title: 'red apple' }),
    ])
    await rejects(broken, { code: 'conflict' })
    equal(await db.table('lines').where('note', 7).count(), 1)
    await rejects(db.batch(Array.from({ length: 101 }, () => db.table('notes').count())), { code: 'bad_request' })
    await db.table('lines').where('note', 7).delete()
  })

  it('names what it failed at, in the author’s words', async () => {
    const { table } = as(1)
    const fails = async (query: PromiseLike<unknown>): Promise<unknown> => {
      const error = (await Promise.resolve(query).then(
        () => undefined,
        (reason: unknown) => reason,
      )) as Refused
      return [error.message, error.details]
    }
    deepEqual(
      [
        await fails(table('notes').insert({ title: 'red apple' })),
        await fails(table('notes').insert({ stars: 1 })),
        await fails(table('notes').insert({ title: 'new', stars: -1 })),
        await fails(table('nots')),
        await fails(table('notes').where('titel', 'a')),
      ],
      [
        [
          'A row of notes with the same key exists (notes_title)',
          { reason: 'unique_violation', table: 'notes', constraint: 'notes_title' },
        ],
        ['notes.title needs a value', { reason: 'not_null_violation', table: 'notes', columns: ['title'] }],
        [
          'A value breaks the rule notes_stars_check of notes',
          { reason: 'check_violation', table: 'notes', constraint: 'notes_stars_check' },
        ],
        [
          'The plugin has no table "nots": it has lines, notes, times. Did you mean notes?',
          { reason: 'statement_invalid', table: 'nots' },
        ],
        [
          'There is no column "titel" in notes, which has id, title, stars, price, big, done, tags, data, photo, made, day. Did you mean title?',
          { reason: 'statement_invalid', table: 'notes', column: 'titel' },
        ],
      ],
    )
  })
})
