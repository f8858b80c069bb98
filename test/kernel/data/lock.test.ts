// @both-back-ends
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { openTestStore, storeKinds } from '../../support/stores.ts'
import { testRedisUrl } from '../../support/cluster.ts'

for (const kind of storeKinds) {
  describe(`locks (${kind})`, () => {
    it('let one in at a time, give its result back, and free the lock when it throws', async () => {
      await using store = await openTestStore(kind)
      let inside = 0
      let most = 0
      const work = async (): Promise<number> => {
        most = Math.max(most, ++inside)
        await delay(5)
        return inside--
      }
      await assert.rejects(
        store.locks.withLock('a', () => Promise.reject(new Error('no'))),
        /no/,
      )
      const results = await Promise.all([1, 2, 3, 4].map(() => store.locks.withLock('a', work)))
      assert.deepEqual([results, most], [[1, 1, 1, 1], 1])
    })

    it('refuse when the wait is over, and hold up nobody under another name', async () => {
      await using store = await openTestStore(kind)
      const free = Promise.withResolvers<void>()
      const held = store.locks.withLock('a', () => free.promise)
      await assert.rejects(
        store.locks.withLock('a', () => Promise.resolve(), { waitMs: 20 }),
        { code: 4092, reason: 'lock_busy' },
      )
      assert.equal(await store.locks.withLock('b', () => Promise.resolve(1)), 1)
      free.resolve()
      await held
      assert.equal(await store.locks.withLock('a', () => Promise.resolve(2), { waitMs: 100 }), 2)
    })
  })
}

if (storeKinds.includes('redis')) {
  describe('locks of two hosts (redis)', () => {
    it('exclude each other and outlive their first lifetime while the work runs', async () => {
      const namespace = randomUUID()
      await using one = await openTestStore('redis', { namespace })
      await using two = await openTestStore('redis', { namespace })
      const free = Promise.withResolvers<void>()
      const begun = Promise.withResolvers<void>()
      const work = (): Promise<void> => {
        begun.resolve()
        return free.promise
      }
      // Renewed after a third of it: a busy machine may be late by the rest.
      const held = one.locks.withLock('a', work, { ttlMs: 2_000 })
      await begun.promise
      await assert.rejects(
        two.locks.withLock('a', () => Promise.resolve(), { waitMs: 4_000 }),
        { reason: 'lock_busy' },
      )
      free.resolve()
      await held
      await two.locks.withLock('a', () => Promise.resolve(), { waitMs: 0 })
    })

    it('tell the work when the lock is lost, and leave the new holder alone', async () => {
      const namespace = randomUUID()
      await using store = await openTestStore('redis', { namespace })
      const redis = new Redis(testRedisUrl() ?? '')
      const key = `stoa:${namespace}:lock:a`
      try {
        await store.locks.withLock(
          'a',
          async (signal) => {
            await redis.set(key, 'another', 'PX', 10_000)
            if (!signal.aborted) await once(signal, 'abort')
          },
          { ttlMs: 60 },
        )
        assert.equal(await redis.get(key), 'another')
      } finally {
        redis.disconnect()
      }
    })
  })
}
