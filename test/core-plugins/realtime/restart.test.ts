import assert from 'node:assert/strict'
import { restart } from '../../../core-plugins/realtime/connections/close.ts'

describe('the end of a host', () => {
  const waitsOf = (count: number): readonly number[] =>
    Array.from({ length: count }, () => restart(count).retryMilliseconds ?? 0)
  const mostInASecond = (waits: readonly number[]): number => {
    const seconds = Map.groupBy(waits, (wait) => Math.floor(wait / 1_000))
    return Math.max(...[...seconds.values()].map(({ length }) => length))
  }

  it('brings ten thousand clients back a thousand a second, and no stampede', () => {
    const waits = waitsOf(10_000)
    // A thousand on average; ten times the deviation is never met.
    assert.ok(mostInASecond(waits) < 1_300, String(mostInASecond(waits)))
    assert.ok(Math.min(...waits) >= 1_000 && Math.max(...waits) < 11_000)
  })

  it('brings a few back within one to five seconds', () => {
    const waits = waitsOf(400)
    assert.ok(Math.min(...waits) >= 1_000 && Math.max(...waits) < 5_000)
    assert.ok(mostInASecond(waits) < 190, String(mostInASecond(waits)))
  })
})
