import assert from 'node:assert/strict'
import { testRedisUrl } from '../support/cluster.ts'
import { dataOf } from '../support/platform.ts'
import { startRedisServer, type RedisServer } from '../support/redis-server.ts'
import { until } from '../support/until.ts'
import { whilePaused } from './killed-paused.ts'
import { scenarioOf } from './killed-trial.ts'
import type { Trap } from './killed-trap.ts'
import { MortalPlatform } from './killed-world.ts'

const title = 'upgrade of the schema'

describe('an upgrade whose database goes away', function () {
  this.timeout(120_000)
  let platform: MortalPlatform
  before(async () => {
    platform = await MortalPlatform.start(1)
  })
  after(() => platform[Symbol.asyncDispose]())

  // Who cannot write down that it failed leaves it to be aborted.
  const moments: readonly (readonly [when: Trap['when'], step: string, version: string, states: readonly string[]])[] =
    [
      ['begin', 'backup', '1.0.0', ['failed', 'aborted']],
      ['inside', 'switch', '1.0.0', ['failed', 'aborted']],
      ['begin', 'converge', '1.2.0', ['succeeded']],
    ]
  for (const [index, [when, step, version, states]] of moments.entries()) {
    it(`at ${step}, ${when}, leaves version ${version}`, async () => {
      const name = `acme.lost${index}`
      const admin = await platform.admin()
      await scenarioOf(title).prepare({ admin, name, dataDir: platform.victim.dataDir })
      await whilePaused(platform, { name, title, step, when }, async () => {
        await platform.db.raw(
          `select pg_terminate_backend(pid) from pg_stat_activity
            where datname = current_database() and usename = current_user and pid <> pg_backend_pid()`,
        )
      })
      await platform.settled(name)
      const ended = await platform.db('plugin_operations').where({ plugin: name, kind: 'upgrade' }).pluck('state')
      assert.equal(ended.length, 1)
      assert.ok(states.includes(String(ended[0])), String(ended[0]))
      await until(async () => (await admin.get(`/admin/plugins/${name}/api/version`)).status === 200)
      assert.deepEqual(dataOf(await admin.get(`/admin/plugins/${name}/api/version`)), { version })
      dataOf(await admin.delete(`/admin/plugins/${name}?purge=true`))
    })
  }
})

if (testRedisUrl() !== undefined) {
  describe('an upgrade whose Redis goes away', function () {
    this.timeout(120_000)
    let platform: MortalPlatform
    let redis: RedisServer
    before(async () => {
      redis = await startRedisServer()
      platform = await MortalPlatform.start(2, { redisUrl: redis.url })
    })
    after(async () => {
      await platform[Symbol.asyncDispose]()
      await redis.kill()
    })

    it('is done on both hosts all the same', async () => {
      const name = 'acme.deaf'
      const stage = { admin: await platform.admin(), name, dataDir: platform.victim.dataDir }
      await scenarioOf('upgrade').prepare(stage)
      const answer = await whilePaused(platform, { name, title: 'upgrade', step: 'switch', when: 'begin' }, () =>
        redis.kill(),
      )
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
      await redis.start()
      for (const host of [platform.other, platform.victim]) {
        const admin = await platform.admin(host)
        await until(async () => (await admin.get(`/admin/plugins/${name}/api/version`)).status === 200)
        assert.deepEqual(dataOf(await admin.get(`/admin/plugins/${name}/api/version`)), { version: '1.1.0' })
      }
    })
  })
}
