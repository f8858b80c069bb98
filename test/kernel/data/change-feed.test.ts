// @both-back-ends
import assert from 'node:assert/strict'
import path from 'node:path'
import type { Knex } from 'knex'
import { migrate, noteChanges, openDatabase, type Database } from '#kernel'
import { ChangeFeed } from '../../../kernel/data/change-feed.ts'
import { createTestDatabase, type TestDatabase } from '../../support/cluster.ts'
import { checkout } from '../../support/host-process.ts'
import { silentLog } from '../../support/kernel.ts'

describe('the feed of changes', () => {
  let database: TestDatabase
  let opened: Database
  let db: Knex
  before(async () => {
    database = await createTestDatabase()
    opened = await openDatabase({ url: database.url, poolSize: 5, log: silentLog })
    db = opened.knex
    await migrate(db, 'kernel', path.join(checkout, 'kernel', 'data', 'migrations'), silentLog)
    await db.schema.createTable('things', (table) => {
      table.integer('id').primary()
      table.text('owner').notNullable()
      table.text('worth').notNullable().defaultTo('')
      table.integer('seen').notNullable().defaultTo(0)
    })
    await noteChanges(db, {
      table: 'things',
      kind: 'things',
      subject: 'changed.owner',
      columns: ['id', 'owner', 'worth'],
      whereDeleted: 'changed.seen = 0',
    })
  })
  beforeEach(async () => {
    await db('things').delete()
    await db('changes').delete()
  })
  after(async () => {
    await opened[Symbol.asyncDispose]()
    await database[Symbol.asyncDispose]()
  })

  /** A host's feed that has looked once, and what it hears from then on. */
  async function follow(): Promise<{ feed: ChangeFeed; heard: unknown[] }> {
    const feed = new ChangeFeed(db, silentLog)
    const heard: unknown[] = []
    feed.on('things', (owners) => void heard.push(owners === 'all' ? owners : [...owners].sort()))
    await feed.look()
    return { feed, heard }
  }
  const insert = (id: number, owner: string, on: Knex = db) => on('things').insert({ id, owner })

  it('tells whose rows came, changed in what matters, and went; once, to every host', async () => {
    const hosts = [await follow(), await follow()]
    const changes: readonly (() => Promise<unknown>)[] = [
      () => db('things').insert([1, 2, 3].map((id) => ({ id, owner: id < 3 ? 'ann' : 'bob' }))),
      () => db('things').where({ id: 3 }).update({ worth: 'much' }),
      () => db('things').where({ id: 3 }).update({ owner: 'cyd' }),
      () => db('things').update({ seen: 1 }),
      () => db('things').where({ id: 3 }).update({ worth: 'much' }),
      () => db('things').where({ id: 1 }).delete(),
      () => db('things').where({ id: 2 }).update({ seen: 0 }),
      () => db('things').where({ id: 2 }).delete(),
      () => Promise.resolve(),
    ]
    for (const change of changes) {
      await change()
      for (const { feed } of hosts) await feed.look()
    }
    const told = [['ann', 'bob'], ['bob'], ['bob', 'cyd'], ['ann']]
    assert.deepEqual(
      hosts.map(({ heard }) => heard),
      [told, told],
    )
  })

  it('misses nothing that commits late behind what began later, tells nothing that was undone, and holds up no writer', async () => {
    const { feed, heard } = await follow()
    const slow = await db.transaction()
    await insert(1, 'slow', slow)
    const undone = await db.transaction()
    await insert(2, 'undone', undone)
    // Would wait for the two above if they held a counter.
    await insert(3, 'quick')
    await feed.look()
    await insert(4, 'later')
    await feed.look()
    await undone.rollback()
    await slow.commit()
    await feed.look()
    await feed.look()
    assert.deepEqual(heard, [['quick'], ['later'], ['slow']])
  })

  it('gives keys of the shared cache a version that every host has and that no other change touches', async () => {
    const { feed: one } = await follow()
    const versions = (feed: ChangeFeed) => ['ann', 'bob'].map((owner) => feed.version('things', owner))
    const fresh = versions(one)
    await insert(1, 'ann')
    await one.look()
    const changed = versions(one)
    // A host that has started since reads what is noted, for Redis may still have what was before.
    const { feed: two } = await follow()
    assert.deepEqual([changed[0] === fresh[0], changed[1] === fresh[1], versions(two)], [false, true, changed])
  })

  it('has everything forgotten when it cannot tell: after a pause that is longer than what is noted stays', async () => {
    const { feed, heard } = await follow()
    const before = feed.version('things', 'ann')
    const now = Date.now
    try {
      Date.now = () => now() + 6 * 60_000
      await feed.look()
    } finally {
      Date.now = now
    }
    assert.deepEqual([heard, feed.version('things', 'ann') === before], [['all'], false])
  })

  it('forgets what came with a backup of a server that was further, and keeps what is of now', async () => {
    await db('changes').insert({ kind: 'things', subject: 'restored', xid: '9000000000000' })
    await insert(1, 'ann')
    const { feed, heard } = await follow()
    await feed.look()
    assert.deepEqual([heard, await db('changes').pluck('subject')], [[['ann', 'restored']], ['ann']])
  })
})
