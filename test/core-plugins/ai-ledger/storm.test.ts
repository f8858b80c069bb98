// @both-back-ends
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { generateFernetKey } from '#kernel'
import { testRedisUrl } from '../../support/cluster.ts'
import type { Behaviour } from '../../support/fake-upstream/behaviour.ts'
import { startFakeUpstream, type FakeUpstream, type Lane } from '../../support/fake-upstream/start.ts'
import { dataOf, startPlatform, type Platform } from '../../support/platform.ts'
import {
  addModel,
  chat,
  peakOf,
  requireWhole,
  stormTenant,
  watchPeaks,
  worst,
  type StormTenant,
} from './storm-world.ts'

/** Hosts of one platform have the same. */
const secrets = {
  APP_SECRET: randomBytes(32).toString('base64url'),
  JWT_KEYS: `k1:${randomBytes(32).toString('base64url')}`,
  CONFIG_FERNET_KEYS: generateFernetKey(),
}
const hosts = testRedisUrl() === undefined ? 1 : 2

describe(`200 chats at once over ${hosts === 1 ? 'one host' : 'two hosts'}, against a budget for 37`, () => {
  let upstream: FakeUpstream
  let lane: Lane
  let provider: string
  const platforms: Platform[] = []

  before(async () => {
    upstream = await startFakeUpstream()
    lane = upstream.lane('storm')
    const env = { ...secrets, EGRESS_ALLOW_PRIVATE: `127.0.0.1:${upstream.port}` }
    const first = await startPlatform({ env })
    platforms.push(first)
    const { databaseUrl, namespace } = first.host
    if (hosts === 2) platforms.push(await startPlatform({ env, databaseUrl, namespace }))
    provider = await addModel(first.admin, lane)
    await watchPeaks(db())
  })
  after(async () => {
    for (const platform of platforms.toReversed()) await platform[Symbol.asyncDispose]()
    await upstream[Symbol.asyncDispose]()
  })

  const first = (): Platform => {
    assert.ok(platforms[0])
    return platforms[0]
  }
  const db = () => first().host.kernel.database.knex
  const urls = (): readonly string[] => platforms.map(({ host }) => host.url)
  const urlOf = (at: number): string => urls()[at % hosts] ?? ''
  const tenantOf = (code: string): Promise<StormTenant> => stormTenant(first().admin, urls(), { code, chats: 37, lane })
  const whole = (tenant: StormTenant): Promise<number> => requireWhole(first().admin, db(), tenant)

  /** How many of 200 ended with each status; of a caller that hung up while it waited there is none. */
  async function storm({ key }: StormTenant, kind: 'whole' | 'streams' | 'impatient'): Promise<Map<number, number>> {
    const statuses = await Promise.all(
      Array.from({ length: 200 }, (_, at) => {
        const stream = kind !== 'whole' && at % 4 !== 0
        return chat(urlOf(at), key, { stream }, kind === 'impatient' && stream && at % 2 === 0)
      }),
    )
    return new Map([...Map.groupBy(statuses, (status) => status)].map(([status, all]) => [status, all.length]))
  }

  /** The provider is well again, and known to be. */
  async function recover(): Promise<void> {
    await lane.behave({ words: 20 })
    const reset = { action: 'reset', target: { provider_id: provider } }
    for (const { admin } of platforms) dataOf(await admin.post('/admin/ai/gateway/failover', reset))
  }

  /** One after another, until there is no room for one more. */
  async function spendTheRest({ key }: StormTenant): Promise<void> {
    for (let at = 0; at < 100; at++) {
      const status = await chat(urlOf(at), key)
      if (status === 429) return
      assert.equal(status, 200)
    }
    assert.fail('there is no end of the budget')
  }

  it('37 are let in, and nothing is held in the end', async () => {
    const tenant = await tenantOf('exact')
    assert.deepEqual(Object.fromEntries(await storm(tenant, 'whole')), { 200: 37, 429: 163 })
    const used = await whole(tenant)
    assert.ok(used > 37 * 20 * 2_000 && used <= tenant.limit, String(used))
    const { peak } = await peakOf(db(), tenant.quotaId)
    assert.ok(peak > tenant.limit - worst)
  })

  const troubles: readonly (readonly [string, 'streams' | 'impatient', Behaviour])[] = [
    ['callers hang up in the middle of a stream', 'impatient', { words: 20, pieceMs: 5 }],
    ['the provider fails', 'streams', { words: 20, trouble: { kind: 'status', status: 500 }, times: 20 }],
    ['the provider breaks off', 'streams', { words: 20, trouble: { kind: 'cut', after: 7 }, times: 20 }],
    ['the provider ends too early', 'streams', { words: 20, trouble: { kind: 'end', after: 3 }, times: 20 }],
    ['the provider lies about what it used', 'impatient', { words: 20, usage: 'wrong', ignoresMaxTokens: true }],
  ]
  for (const [at, [title, kind, behaviour]] of troubles.entries()) {
    it(`are never let in beyond it when ${title}, and what was let go can be spent`, async () => {
      const tenant = await tenantOf(`trouble${at}`)
      await lane.behave(behaviour)
      const statuses = await storm(tenant, kind)
      assert.deepEqual(
        [...statuses.keys()].filter((status) => ![200, 429, 502, 503].includes(status)),
        [],
      )
      await whole(tenant)
      await recover()
      await spendTheRest(tenant)
      assert.ok((await whole(tenant)) > tenant.limit - worst)
    })
  }
})
