import assert from 'node:assert/strict'
import { ExpiringMap } from '../../kernel/expiring-map.ts'
import { until } from '../support/until.ts'

describe('an expiring map', () => {
  it('forgets the least recently used of too many', () => {
    const map = new ExpiringMap<string, number>(2)
    map.set('a', 1, 1000)
    map.set('b', 2, 1000)
    map.get('a')
    map.set('c', 3, 1000)
    assert.deepEqual(
      ['a', 'b', 'c'].map((key) => map.get(key)),
      [1, undefined, 3],
    )
  })

  it('forgets what is too old, named or meant', async () => {
    const map = new ExpiringMap<string, number>(10)
    map.set('short', 1, 5)
    for (const [place, key] of ['named', 'meant', 'kept'].entries()) map.set(key, place, 10_000)
    map.delete('named')
    map.deleteWhere((value) => value === 1)
    await until(() => map.get('short') === undefined)
    assert.deepEqual(
      ['short', 'named', 'meant', 'kept'].map((key) => map.get(key)),
      [undefined, undefined, undefined, 2],
    )
    map.clear()
    assert.equal(map.get('kept'), undefined)
  })
})
