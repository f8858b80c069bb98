// @both-back-ends
import assert from 'node:assert/strict'
import { dataOf, refusalOf } from '../../support/platform.ts'
import { refuseSessions, refuseStatements } from '../../support/postgres-refusals.ts'
import { until } from '../../support/until.ts'
import { notes, startOutageWorld, type OutageWorld } from './world.ts'

const patience = 60_000
const storageFull = { status: 507, code: 5070, reason: 'storage_full' }
/** What grows a table needs room for. */
const writes = /insert into|^Q.{4}copy|update "/s

describe('a database that refuses', () => {
  let world: OutageWorld
  before(async () => {
    world = await startOutageWorld()
  })
  after(() => world[Symbol.asyncDispose]())

  const textsOf = async (): Promise<readonly string[]> =>
    dataOf(await world.platform.admin.get(`${notes}/notes`))['texts'] as unknown as string[]

  it('for want of room answers 507 to whoever writes, reads on, and writes as soon as there is some', async () => {
    const { platform, wire } = world
    const { admin } = platform
    const before = await textsOf()
    wire.follow(refuseStatements(writes, '53100', 'could not extend file "base/1/2": No space left on device'))
    try {
      // Often enough to open a breaker, if this were the plugin's doing.
      for (let count = 0; count < 12; count++) {
        for (const path of ['add', 'addtwo']) {
          assert.deepEqual(refusalOf(await admin.post(`${notes}/${path}`, { text: 'lost' })), storageFull)
        }
      }
      const owner = { email: 'owner@full.test', password: 'a long enough passphrase' }
      const tenant = await admin.post('/admin/tenants', { code: 'full', name: 'Full', owner })
      assert.deepEqual(refusalOf(tenant), storageFull)
      assert.deepEqual(await textsOf(), before)
    } finally {
      wire.heal()
    }
    dataOf(await admin.post(`${notes}/add`, { text: 'kept' }))
    assert.deepEqual(await textsOf(), [...before, 'kept'])
  })

  for (const [code, what] of [
    ['57P01', 'is shut down by its operator'],
    ['57P02', 'crashed'],
    ['57P03', 'starts up'],
  ] as const) {
    it(`because it ${what} is 503 with a time to come again, and everything works as soon as it does`, async () => {
      const { platform, wire } = world
      const { admin, host } = platform
      const before = await textsOf()
      wire.follow(refuseSessions(code))
      try {
        for (let count = 0; count < 8; count++) {
          for (const answer of [
            await admin.post(`${notes}/add`, { text: 'lost' }),
            await admin.get(`${notes}/notes`),
            await admin.get('/admin/tenants'),
          ]) {
            assert.deepEqual([answer.status, answer.body['code']], [503, 5030], JSON.stringify(answer.body))
            assert.ok(Number(answer.headers['retry-after']) > 0)
          }
        }
        // Callers within a second share a look.
        await until(async () => (await host.api.get('/api/public/health')).status === 503, patience)
      } finally {
        wire.heal()
      }
      await until(async () => (await admin.post(`${notes}/add`, { text: 'kept' })).status === 200, patience)
      assert.deepEqual(await textsOf(), [...before, 'kept'])
      await until(async () => (await host.api.get('/api/public/health')).status === 200, patience)
      assert.equal((await admin.get('/admin/tenants')).status, 200)
    })
  }
})
