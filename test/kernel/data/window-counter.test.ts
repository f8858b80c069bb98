// @both-back-ends
import assert from 'node:assert/strict'
import { mock } from 'node:test'
import { MemoryWindowCounter } from '../../../kernel/data/memory-window-counter.ts'
import type { WindowWish } from '../../../kernel/data/window-counter.ts'
import { openTestStore, storeKinds } from '../../support/stores.ts'
import { until } from '../../support/until.ts'

const wish = (key: string, amount: number, limit: number, more: Partial<WindowWish> = {}): WindowWish => ({
  ...{ key, amount, limit, milliseconds: 600_000, parts: 60, ...more },
})

for (const kind of storeKinds) {
  describe(`counter of windows (${kind})`, () => {
    it('takes of all windows or of none, and says how long there is no room', async () => {
      await using store = await openTestStore(kind)
      const first = await store.windows.take([wish('a', 4, 10), wish('b', 4, 5)])
      assert.deepEqual([first.isTaken, first.windows.map(({ used }) => used)], [true, [4, 4]])
      const second = await store.windows.take([wish('a', 4, 10), wish('b', 4, 5)])
      assert.deepEqual([second.isTaken, second.windows.map(({ used }) => used)], [false, [4, 4]])
      const [a, b] = second.windows
      assert.equal(a?.waitMs, 0)
      assert.ok(b && b.waitMs > 0 && b.waitMs <= 620_000, String(b?.waitMs))
    })

    it('takes back what was not used, and forgets what it is told to', async () => {
      await using store = await openTestStore(kind)
      const { windows } = await store.windows.take([wish('a', 10, 10)])
      await store.windows.give([{ key: 'a', part: windows[0]?.part ?? 0, amount: 7 }])
      await store.windows.give([{ key: 'a', part: 1, amount: 7 }])
      const read = async () => (await store.windows.take([wish('a', 0, 1e15)])).windows[0]?.used
      assert.equal(await read(), 3)
      assert.deepEqual(await store.windows.keys('a', 10), ['a'])
      await store.windows.clear('a')
      assert.deepEqual([await read(), await store.windows.keys('a', 10)], [0, []])
    })

    it('counts large amounts exactly, also when many ask at once', async () => {
      await using store = await openTestStore(kind)
      const answers = await Promise.all(
        Array.from({ length: 50 }, () => store.windows.take([wish('a', 123_456_789_012, 20 * 123_456_789_012)])),
      )
      assert.equal(answers.filter(({ isTaken }) => isTaken).length, 20)
    })

    it('makes room when what was taken leaves the window', async () => {
      await using store = await openTestStore(kind)
      const short = { milliseconds: 100, parts: 10 }
      await store.windows.take([wish('a', 1, 1, short)])
      await until(async () => (await store.windows.take([wish('a', 1, 1, short)])).isTaken)
    })
  })
}

describe('counter of windows (memory), by a clock that the test turns', () => {
  beforeEach(() => mock.timers.enable({ apis: ['Date'], now: 6_000_000 }))
  afterEach(() => mock.timers.reset())

  it('lets no stretch of its length have more than the limit, whenever it begins', async () => {
    const counter = new MemoryWindowCounter()
    const window = { milliseconds: 60_000, parts: 60 }
    const taken: number[] = []
    for (let ms = 0; ms < 300_000; ms += 500) {
      mock.timers.tick(500)
      if ((await counter.take([wish('a', 1, 7, window)])).isTaken) taken.push(ms)
    }
    const most = Math.max(...taken.map((from) => taken.filter((at) => at >= from && at < from + 60_000).length))
    assert.equal(most, 7)
    assert.ok(taken.length >= 7 * 4, String(taken.length))
  })

  it('begins windows of one part one after the other', async () => {
    const counter = new MemoryWindowCounter()
    const window = { milliseconds: 60_000, parts: 1 }
    const tries = []
    for (const passed of [59_999, 0, 1, 0]) {
      mock.timers.tick(passed)
      tries.push((await counter.take([wish('a', 1, 1, window)])).isTaken)
    }
    assert.deepEqual(tries, [true, false, true, false])
  })
})
