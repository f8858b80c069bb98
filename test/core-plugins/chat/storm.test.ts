// @both-back-ends
import assert from 'node:assert/strict'
import { testRedisUrl } from '../../support/cluster.ts'
import { startPlatform, type Platform } from '../../support/platform.ts'
import { clusterSecrets } from '../plugins/cluster-world.ts'
import { startWithVendor } from './runs-world.ts'
import { leftOpen, storm } from './storm.ts'
import { makeStormAgents, quotaOfAll, untilSettled } from './storm-world.ts'

const runs = 24

describe('A storm of runs', () => {
  let world: Awaited<ReturnType<typeof startWithVendor>>
  let second: Platform | undefined
  before(async () => {
    world = await startWithVendor(clusterSecrets)
    const { databaseUrl, namespace } = world.platform.host
    if (testRedisUrl() !== undefined) second = await startPlatform({ env: world.env, databaseUrl, namespace })
  })
  after(async () => {
    await second?.[Symbol.asyncDispose]()
    await world[Symbol.asyncDispose]()
  })

  it('at vendors that fail, with readers that leave, come back elsewhere and cancel, loses no event and leaves nothing open', async () => {
    const agents = await makeStormAgents(world.owner, (name) => world.addModel(name))
    const quotaId = await quotaOfAll(world.platform.admin, world.tenantId)
    const users = [world.user, ...(second ? [world.user.at(second.host.url)] : [])]
    const report = await storm({ users, agents, runs, callers: 8, random: Math.random })
    assert.deepEqual(report.faults, [])
    assert.equal(
      Object.values(report.ends).reduce((sum, count) => sum + count, 0),
      runs,
    )
    await untilSettled(world.platform.admin, quotaId)
    assert.deepEqual(await leftOpen(world.db(), world.tenantId), [])
  })
})
