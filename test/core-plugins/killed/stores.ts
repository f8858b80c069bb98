import assert from 'node:assert/strict'
import { dataOf } from '../../support/platform.ts'
import type { RedisServer } from '../../support/redis-server.ts'
import { until } from '../../support/until.ts'
import { whilePaused } from './paused.ts'
import { scenarioOf, type Moment } from './trial.ts'
import type { MortalPlatform } from './world.ts'

const title = 'upgrade of the schema'

interface Loss extends Moment {
  /** How the upgrade may end. */
  readonly states: readonly string[]
}

/** Who cannot write down that it failed leaves it to be aborted; who finds another connection in time goes on. */
export const losses: readonly Loss[] = [
  { step: 'switch', when: 'inside', states: ['failed', 'aborted'] },
  { step: 'backup', when: 'begin', states: ['failed', 'aborted', 'succeeded'] },
  { step: 'converge', when: 'begin', states: ['succeeded'] },
]

/** Declares tests of an upgrade whose database goes away. */
export function declareLossOfDatabase(platformOf: () => MortalPlatform, moments: readonly Loss[]): void {
  for (const [index, { step, when, states }] of moments.entries()) {
    it(`at ${step}, ${when}, is ${states.join(' or ')}`, async () => {
      const platform = platformOf()
      const name = `acme.lost${index}`
      await scenarioOf(title).prepare({ admin: await platform.admin(), name, dataDir: platform.victim.dataDir })
      await whilePaused(platform, { name, title, step, when }, async () => {
        await platform.db.raw(
          `select pg_terminate_backend(pid) from pg_stat_activity
            where datname = current_database() and usename = current_user and pid <> pg_backend_pid()`,
        )
      })
      await platform.settled(name)
      const ended = await platform.db('plugin_operations').where({ plugin: name, kind: 'upgrade' }).pluck('state')
      assert.equal(ended.length, 1)
      const state = String(ended[0])
      assert.ok(states.includes(state), state)
      await requireVersion(platform, name, state === 'succeeded' ? '1.2.0' : '1.0.0')
    })
  }
}

/** Declares tests of an upgrade whose Redis goes away. */
export function declareLossOfRedis(worldOf: () => { platform: MortalPlatform; redis: RedisServer }): void {
  it('is done on both hosts all the same', async () => {
    const { platform, redis } = worldOf()
    const name = 'acme.deaf'
    const stage = { admin: await platform.admin(), name, dataDir: platform.victim.dataDir }
    await scenarioOf('upgrade').prepare(stage)
    const answer = await whilePaused(platform, { name, title: 'upgrade', step: 'switch', when: 'begin' }, () =>
      redis.kill(),
    )
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    await redis.start()
    await requireVersion(platform, name, '1.1.0')
  })
}

/** Every host answers with it, after which the plugin goes. */
async function requireVersion(platform: MortalPlatform, name: string, version: string): Promise<void> {
  for (const host of platform.hosts) {
    const admin = await platform.admin(host)
    await until(async () => (await admin.get(`/admin/plugins/${name}/api/version`)).status === 200)
    assert.deepEqual(dataOf(await admin.get(`/admin/plugins/${name}/api/version`)), { version })
  }
  dataOf(await (await platform.admin()).delete(`/admin/plugins/${name}?purge=true`))
  await platform.settled(name)
}
