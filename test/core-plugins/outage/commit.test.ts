// @both-back-ends
import assert from 'node:assert/strict'
import type { Answer } from '../../support/api.ts'
import { dataOf, refusalOf } from '../../support/platform.ts'
import { until } from '../../support/until.ts'
import { cutAtCommit, keepAnswersBack, notes, startOutageWorld, type OutageWorld } from './world.ts'

const unknown = { status: 503, code: 5036, reason: 'outcome_unknown' }

describe('a connection that is lost at COMMIT', () => {
  let world: OutageWorld
  before(async () => {
    world = await startOutageWorld()
  })
  after(() => world[Symbol.asyncDispose]())
  afterEach(() => world.wire.heal())

  /** Ends the connections there are, and comes back once the platform has others: until it knows, it would take one that is gone. */
  const reset = async () => {
    world.wire.reset()
    await until(async () => (await world.platform.admin.get('/admin/tenants')).status === 200)
  }
  const texts = async () => dataOf(await world.platform.admin.get(`${notes}/notes`))['texts'] as unknown as string[]

  for (const when of ['before', 'after'] as const) {
    it(`never lets a plugin’s transaction be acknowledged, cut ${when} the server hears of it`, async () => {
      const { platform, wire } = world
      const before = (await texts()).length
      wire.follow(cutAtCommit(when, 'plugins'))
      // Connections of the plugin that are open would not be known as its.
      await reset()
      for (let count = 0; count < 20; count++) {
        const answer = await platform.admin.post(`${notes}/addtwo`, { text: `${when} ${count}` })
        assert.deepEqual(refusalOf(answer), unknown)
        assert.equal(answer.headers['retry-after'], '1')
        assert.equal((await texts()).length - before, when === 'before' ? 0 : 2 * (count + 1))
      }
    })
  }

  it('never lets a write of the platform be acknowledged', async () => {
    const { platform, wire } = world
    wire.follow(cutAtCommit('before', 'platform'))
    for (let count = 0; count < 5; count++) {
      const answer = await platform.admin.post('/admin/tenants', {
        ...{ code: `lost-${count}`, name: 'Lost' },
        owner: { email: 'owner@lost.test', password: 'a long enough passphrase' },
      })
      assert.deepEqual(refusalOf(answer), unknown)
    }
    wire.heal()
    assert.equal(dataOf(await platform.admin.get('/admin/tenants'))['total'], 0)
  })

  it('is unknown to whoever wrote without a transaction too, and certain to whoever read', async () => {
    const { platform, wire } = world
    await reset()
    wire.follow((piece, from) => (from === 'client' && piece.includes('insert into "plg_') ? 'reset' : 'pass'))
    assert.deepEqual(refusalOf(await platform.admin.post(`${notes}/add`, { text: 'lost' })), unknown)
    wire.follow((piece, from) => (from === 'client' && piece.includes('from "plg_') ? 'reset' : 'pass'))
    assert.deepEqual(refusalOf(await platform.admin.get(`${notes}/notes`)), {
      status: 503,
      code: 5030,
      reason: 'unavailable',
    })
    wire.heal()
    assert.ok(!(await texts()).includes('lost'))
  })
})

describe('a database that is away', () => {
  it('is 503 to all, also of a plugin that tells nobody why, and pauses no plugin', async () => {
    await using world = await startOutageWorld()
    const { platform, wire } = world
    const { admin } = platform
    dataOf(await admin.get(`${notes}/notes`))
    wire.follow((piece, from) => (from === 'client' && piece.includes('"plg_') ? 'reset' : 'pass'))
    for (let count = 0; count < 25; count++) {
      const answer = await admin.post(`${notes}/lose`, { text: 'lost' })
      assert.deepEqual(refusalOf(answer), { status: 503, code: 5030, reason: 'unavailable' })
    }
    wire.heal()
    dataOf(await admin.post(`${notes}/add`, { text: 'kept' }))
    wire.cut()
    const away = await admin.get('/admin/tenants')
    assert.deepEqual([away.status, away.body['code'], away.headers['retry-after']], [503, 5030, '1'])
    wire.heal()
    assert.deepEqual(dataOf(await admin.get(`${notes}/notes`))['texts'], ['kept'])
  })
})

describe('a transaction of a plugin in which a statement failed', () => {
  it('fails at its end although the plugin caught it, and nothing of it is kept', async () => {
    await using world = await startOutageWorld()
    const { admin } = world.platform
    const answer = await admin.post(`${notes}/shrug`, { text: 'half' })
    assert.deepEqual(refusalOf(answer), { status: 409, code: 4090, reason: 'plugin.acme.notes.transaction_failed' })
    assert.deepEqual(dataOf(await admin.get(`${notes}/notes`))['texts'], [])
  })
})

describe('a plugin that the database keeps waiting until its time is over', () => {
  it('is not said to be late: its caller learns whether the work may be done all the same', async () => {
    await using world = await startOutageWorld()
    const { platform, wire } = world
    const { admin } = platform
    // A machine without time may let the plugin be late by itself.
    const insist = async (ask: () => Promise<Answer>, said: RegExp): Promise<unknown> => {
      let last: unknown
      for (let tries = 0; tries < 10; tries++) {
        wire.follow(keepAnswersBack(said))
        const { code, reason } = refusalOf(await ask())
        last = [code, reason]
        wire.heal()
        if (code !== 5040) break
      }
      return last
    }
    dataOf(await admin.post(`${notes}/addtwo`, { text: 'before' }))
    const written = await insist(() => admin.post(`${notes}/hurry`, { text: 'written' }), /commit/i)
    assert.deepEqual(written, [5036, 'outcome_unknown'])
    assert.ok((dataOf(await admin.get(`${notes}/notes`))['texts'] as unknown as string[]).includes('written'))
    const begun = await insist(() => admin.post(`${notes}/hurry`, { text: 'begun' }), /begun/)
    assert.deepEqual(begun, [5030, 'unavailable'])
    const read = await insist(() => admin.get(`${notes}/hurry`), /select/i)
    assert.deepEqual(read, [5030, 'unavailable'])
    assert.ok(!(dataOf(await admin.get(`${notes}/notes`))['texts'] as unknown as string[]).includes('begun'))
  })
})
