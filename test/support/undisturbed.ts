import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import type { HostilePlatform } from './hostile-platform.ts'

/** Less than a process of the platform takes to come back, more than a busy machine keeps one waiting. */
const patienceMs = 5_000
const periodMs = 40

/** Does the work, and asserts that health and the neighbour answer in time from its beginning to past its end. */
export async function undisturbed<T>(platform: HostilePlatform, work: () => Promise<T>): Promise<T> {
  const { demo } = platform
  let isOver = false
  const ask = async (path: string): Promise<void> => {
    for (let last = false; !last;) {
      last = isOver
      const since = performance.now()
      const answer = await demo.api.get(path)
      const took = performance.now() - since
      assert.equal(answer.status, 200, `${path}: ${JSON.stringify(answer.body)}`)
      assert.ok(took < patienceMs, `${path} took ${Math.round(took)} ms`)
      if (!last) await pause(periodMs)
    }
  }
  const watches = Promise.all([ask('/api/public/health'), ask('/tenant/plugins/good.neighbour/api/ping')])
  watches.catch(() => undefined)
  try {
    return await work()
  } finally {
    isOver = true
    await watches
  }
}
