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

  it('keeps what is used while it fills, whatever was looked at before it was half full', () => {
    const map = new ExpiringMap<string, number>(4)
    const used = ['a', 'b']
    for (const [value, key] of ['a', 'b', 'c', 'd', 'e', 'f'].entries()) {
      map.set(key, value, 1000)
      for (const other of used) map.get(other)
    }
    assert.deepEqual(
      ['a', 'b', 'c', 'd', 'e', 'f'].map((key) => map.get(key)),
      [0, 1, undefined, undefined, 4, 5],
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
