// @both-back-ends
import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import { createMemoryCache } from '../../../kernel/data/memory-cache.ts'
import type { Store } from '../../../kernel/data/store.ts'
import { openTestStore, storeKinds } from '../../support/stores.ts'
import { until } from '../../support/until.ts'

for (const kind of storeKinds) {
  describe(`cache (${kind})`, () => {
    let store: Store
    beforeEach(async () => {
      store = await openTestStore(kind)
    })
    afterEach(() => store[Symbol.asyncDispose]())

    it('gives what was set, as a copy, until it is deleted', async () => {
      const value = { list: [1, null, 'é'], inner: { is: true } }
      await store.cache.set('a', value, 60)
      await store.cache.set('b', 0, 60)
      value.list.push('later')
      const first = await store.cache.get<typeof value>('a')
      first?.list.push('elsewhere')
      assert.deepEqual(
        [await store.cache.get('a'), await store.cache.get('b'), await store.cache.get('c')],
        [{ list: [1, null, 'é'], inner: { is: true } }, 0, undefined],
      )
      await store.cache.delete('a', 'b')
      assert.deepEqual([await store.cache.get('a'), await store.cache.get('b')], [undefined, undefined])
    })

    it('forgets what has expired', async () => {
      await store.cache.set('a', 1, 0.03)
      await until(async () => (await store.cache.get('a')) === undefined)
    })

    it('gives a value to one of several takers', async () => {
      await store.cache.set('code', { user: 1 }, 60)
      const taken = await Promise.all([1, 2, 3].map(() => store.cache.take('code')))
      assert.deepEqual(
        taken.filter((value) => value !== undefined),
        [{ user: 1 }],
      )
    })

    it('deletes by prefix, whatever characters the prefix has', async () => {
      const one = store.cache.withPrefix('a*[b]?\\:')
      await one.set('x', 1, 60)
      await one.set('y', 2, 60)
      await store.cache.set('axx[b]?\\:x', 3, 60)
      await store.cache.deleteByPrefix('a*[b]?\\:')
      assert.deepEqual(
        [await one.get('x'), await one.get('y'), await store.cache.get('axx[b]?\\:x')],
        [undefined, undefined, 3],
      )
    })

    it('keeps prefixes apart and puts one after the other', async () => {
      const inner = store.cache.withPrefix('a:').withPrefix('b:')
      await inner.set('c', 1, 60)
      assert.deepEqual([await store.cache.get('a:b:c'), await store.cache.get('c')], [1, undefined])
    })

    it('loads once for all who ask at the same time, and not again', async () => {
      let loads = 0
      const load = async (): Promise<{ n: number }> => {
        await delay(10)
        return { n: ++loads }
      }
      const [first, second] = await Promise.all([1, 2].map(() => store.cache.wrap('k', 60, load)))
      assert.deepEqual([first, second, await store.cache.wrap('k', 60, load)], [{ n: 1 }, { n: 1 }, { n: 1 }])
      assert.notEqual(first, second)
    })

    it('keeps no failure, no undefined, and nothing that was deleted while it loaded', async () => {
      await assert.rejects(
        store.cache.wrap('k', 60, () => Promise.reject(new Error('no'))),
        /no/,
      )
      assert.equal(await store.cache.wrap('k', 60, () => Promise.resolve(undefined)), undefined)
      const stale = store.cache.wrap('k', 60, async () => {
        await store.cache.delete('k')
        return 'stale'
      })
      assert.deepEqual([await stale, await store.cache.get('k')], ['stale', undefined])
      const older = store.cache.wrap('k', 60, async () => {
        await store.cache.set('k', 'newer', 60)
        return 'older'
      })
      assert.deepEqual([await older, await store.cache.get('k')], ['older', 'newer'])
    })

    it('answers a ping', () => store.cache.ping())
  })
}

describe('memory cache', () => {
  it('forgets what was used least recently when it is full', async () => {
    const cache = createMemoryCache({ entries: 2, characters: 1000 })
    await cache.set('a', 1, 60)
    await cache.set('b', 2, 60)
    await cache.get('a')
    await cache.set('c', 3, 60)
    assert.deepEqual(await Promise.all(['a', 'b', 'c'].map((key) => cache.get(key))), [1, undefined, 3])
  })

  it('bounds the size of what it holds', async () => {
    const cache = createMemoryCache({ entries: 100, characters: 100 })
    for (const key of ['a', 'b', 'c']) await cache.set(key, key.repeat(40), 60)
    assert.deepEqual(
      (await Promise.all(['a', 'b', 'c'].map((key) => cache.get(key)))).map((value) => value !== undefined),
      [false, true, true],
    )
  })
})
