// @both-back-ends
import assert from 'node:assert/strict'
import { testRedisUrl } from '../../support/cluster.ts'
import { startFakeUpstream, type FakeUpstream, type Lane } from '../../support/fake-upstream/start.ts'
import { until } from '../../support/until.ts'
import { addModel, chat, peakOf, requireWhole, stormTenant, watchPeaks, worst } from '../ai-ledger/storm-world.ts'
import { MortalPlatform } from './world.ts'

// Where several hosts share a back end: one dies, the other settles what it left.
if (testRedisUrl() !== undefined) {
  describe('200 chats at once, of which a host dies in the middle', () => {
    let upstream: FakeUpstream
    let lane: Lane
    let platform: MortalPlatform
    before(async () => {
      upstream = await startFakeUpstream()
      lane = upstream.lane('killed')
      platform = await MortalPlatform.start(2, { env: { EGRESS_ALLOW_PRIVATE: `127.0.0.1:${upstream.port}` } })
    })
    after(async () => {
      await platform[Symbol.asyncDispose]()
      await upstream[Symbol.asyncDispose]()
    })

    it('are never let in beyond the budget for 37, and what the dead host held is charged and let go', async () => {
      const { db, other, victim } = platform
      const admin = await platform.admin(other)
      await addModel(admin, lane)
      await watchPeaks(db)
      const tenant = await stormTenant(admin, [other.url, victim.url], { code: 'killed', chats: 37, lane })
      // Nobody's answer is whole before the host is gone.
      await lane.behave({ words: 20, pieceMs: 1_000 })
      const before = (await lane.seen()).length
      const letIn = (chats: number) => until(async () => (await lane.seen()).length - before === chats, 60_000)
      const begin = (url: string) => chat(url, tenant.key, { stream: true }).catch(() => 0)
      // Each host has one of them, whichever gets the others.
      const first = [begin(victim.url), begin(other.url)]
      await letIn(2)
      const others = Array.from({ length: 198 }, (_, at) => begin(at % 2 ? victim.url : other.url))
      await letIn(37)
      await victim.kill()
      const counts = Map.groupBy(await Promise.all([...first, ...others]), (status) => status)
      const lost = counts.get(0)?.length ?? 0
      assert.ok(lost > 0 && (counts.get(200)?.length ?? 0) > 0, JSON.stringify([...counts.keys()]))
      await requireWhole(admin, db, tenant, 90_000)
      await lane.behave({ words: 20 })
      let more = 0
      while ((await chat(other.url, tenant.key)) === 200) more += 1
      assert.ok(more > 0, 'nothing that the dead host held came back')
      assert.ok((await requireWhole(admin, db, tenant)) > tenant.limit - worst)
      assert.ok((await peakOf(db, tenant.quotaId)).peak > tenant.limit - worst)
    })
  })
}
