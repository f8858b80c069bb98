import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { openTestStore, storeKinds } from '../../support/stores.ts'
import { until } from '../../support/until.ts'

for (const kind of storeKinds) {
  describe(`rate limiter (${kind})`, () => {
    it('lets through what fits in the window and counts each key by itself', async () => {
      await using store = await openTestStore(kind)
      const hits = []
      for (const key of ['a', 'a', 'a', 'b']) hits.push(await store.limiter.hit(key, 2, 60))
      assert.deepEqual(hits, [
        { allowed: true, remaining: 1, resetSeconds: 60 },
        { allowed: true, remaining: 0, resetSeconds: 60 },
        { allowed: false, remaining: 0, resetSeconds: 60 },
        { allowed: true, remaining: 1, resetSeconds: 60 },
      ])
    })

    it('slides: what was refused is not counted, and what has left the window makes room', async () => {
      await using store = await openTestStore(kind)
      await store.limiter.hit('a', 1, 0.1)
      const started = Date.now()
      await until(async () => (await store.limiter.hit('a', 1, 0.1)).allowed)
      assert.ok(Date.now() - started < 2000)
    })

    it('counts right when many ask at once', async () => {
      await using store = await openTestStore(kind)
      const hits = await Promise.all(Array.from({ length: 50 }, () => store.limiter.hit('a', 20, 60)))
      assert.equal(hits.filter((hit) => hit.allowed).length, 20)
    })
  })
}

if (storeKinds.includes('redis')) {
  describe('rate limiter of two hosts (redis)', () => {
    it('counts together', async () => {
      const namespace = randomUUID()
      await using one = await openTestStore('redis', { namespace })
      await using two = await openTestStore('redis', { namespace })
      await one.limiter.hit('a', 1, 60)
      assert.equal((await two.limiter.hit('a', 1, 60)).allowed, false)
    })
  })
}
