import type { HostilePlatform } from './hostile-platform.ts'

/** What a neighbour met. */
export interface NeighbourTimes {
  /** Answers that were none. */
  readonly failed: readonly string[]
  readonly calls: number
  readonly longest: number
}

const periodMs = 50
const path = '/tenant/plugins/good.neighbour/api/ping'

/** Calls a plugin of the other tenant twenty times a second for as long as the work goes on. */
export async function watchNeighbour<T>(
  { other }: HostilePlatform,
  work: Promise<T>,
): Promise<NeighbourTimes & { value: T }> {
  const failed: string[] = []
  const calls: Promise<void>[] = []
  let longest = 0
  let isOver = false
  const ended = work.finally(() => (isOver = true))
  const call = async (): Promise<void> => {
    const since = performance.now()
    const { status, body } = await other.api.get(path)
    longest = Math.max(longest, performance.now() - since)
    if (status !== 200) failed.push(JSON.stringify(body))
  }
  while (!isOver) {
    calls.push(call())
    await Promise.race([ended.catch(() => undefined), new Promise((resolve) => setTimeout(resolve, periodMs))])
  }
  await Promise.all(calls)
  return { value: await ended, failed, calls: calls.length, longest }
}
