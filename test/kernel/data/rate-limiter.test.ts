// @both-back-ends
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mock } from 'node:test'
import { MemoryRateLimiter } from '../../../kernel/data/memory-rate-limiter.ts'
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

describe('rate limiter (memory), by a clock that the test turns', () => {
  beforeEach(() => mock.timers.enable({ apis: ['Date'], now: 1_000_000 }))
  afterEach(() => mock.timers.reset())

  it('refuses until the end of the window, and not beyond', async () => {
    const limiter = new MemoryRateLimiter()
    const allowed = []
    for (const passed of [0, 59_999, 1]) {
      mock.timers.tick(passed)
      allowed.push((await limiter.hit('a', 1, 60)).allowed)
    }
    assert.deepEqual(allowed, [true, false, true])
  })

  it('keeps a window however many others come meanwhile', async () => {
    const limiter = new MemoryRateLimiter()
    await limiter.hit('a', 1, 60)
    for (let other = 0; other < 2_000; other += 1) await limiter.hit(`b${other}`, 1, 60)
    assert.equal((await limiter.hit('a', 1, 60)).allowed, false)
  })
})

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
