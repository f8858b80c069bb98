// @both-back-ends
import { testRedisUrl } from '../../support/cluster.ts'
import { startRedisServer, type RedisServer } from '../../support/redis-server.ts'
import { declareRivals } from './rivals.ts'
import { declareLossOfDatabase, declareLossOfRedis, losses } from './stores.ts'
import { scenarioOf, type Moment } from './trial.ts'
import { declareWave } from './wave.ts'
import { MortalPlatform } from './world.ts'

// A moment of each kind; every other one is tried by `npm run test:kill`.
const moments: Readonly<Record<string, readonly [step: string, when: Moment['when']]>> = {
  install: ['load_test', 'inside'],
  consent: ['grant', 'begin'],
  enable: ['commit', 'begin'],
  disable: ['converge', 'begin'],
  sync: ['commit', 'begin'],
  'upgrade of the schema': ['switch', 'inside'],
  'rollback of the schema': ['commit', 'begin'],
  'automatic rollback': ['converge', 'begin'],
  repair: ['sweep', 'begin'],
  backup: ['record', 'inside'],
  'deletion of a backup': ['objects', 'begin'],
  uninstall: ['tables', 'begin'],
  'clean-up': ['storage', 'begin'],
}
const isShared = testRedisUrl() !== undefined

describe(isShared ? 'two hosts' : 'one host', () => {
  let platform: MortalPlatform
  let redis: RedisServer
  before(async () => {
    if (isShared) redis = await startRedisServer()
    platform = await MortalPlatform.start(isShared ? 2 : 1, { redisUrl: isShared ? redis.url : undefined })
  })
  after(async () => {
    await platform[Symbol.asyncDispose]()
    if (isShared) await redis.kill()
  })

  if (isShared) describe('whose administrators are at one plugin', () => declareRivals(() => platform))
  describe('with an upgrade whose database goes away', () => declareLossOfDatabase(() => platform, losses.slice(0, 1)))
  if (isShared) {
    describe('with an upgrade whose Redis goes away', () => declareLossOfRedis(() => ({ platform, redis })))
  }
  describe(isShared ? 'one of which is killed within' : 'that is killed within', () =>
    declareWave(
      () => platform,
      Object.entries(moments).map(([title, [step, when]]) => ({ scenario: scenarioOf(title), step, when })),
    ),
  )
})
