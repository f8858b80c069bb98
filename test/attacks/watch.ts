import { once } from 'node:events'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Api } from '../support/api.ts'

/** A call that is made again and again, whether the one before was answered or not. */
export interface Probe {
  readonly name: string
  readonly path: string
  readonly everyMs: number
  /** Something of it may be left where its sandbox host ends: it is not made again, and is answered 5035 `plugin_restarted`. */
  readonly acts?: boolean
}

/** What came of a probe. */
export interface Seen {
  readonly name: string
  readonly calls: number
  /** Each answer that was none, such as `503 5030 +1200 ms`. */
  readonly failed: readonly string[]
  readonly p50: number
  readonly p99: number
  readonly longest: number
  /** How much later than wanted a call was sent at worst: the machine's doing, which the platform has no part in. */
  readonly late: number
  /** When the longest was sent, in milliseconds after the first. */
  readonly longestAt: number
}

/** What the worker that calls is given. */
export interface WatchOrder {
  readonly url: string
  readonly token: string | undefined
  readonly probes: readonly Probe[]
}

/** Calls for as long as the work goes on, from a thread that does nothing else. */
export async function watchDuring(
  who: Api,
  probes: readonly Probe[],
  work: Promise<unknown>,
): Promise<readonly Seen[]> {
  const order: WatchOrder = { url: who.url, token: who.token, probes }
  const worker = new Worker(path.join(import.meta.dirname, 'watch-worker.ts'), { workerData: order })
  const seen = once(worker, 'message') as Promise<[readonly Seen[]]>
  try {
    await Promise.race([work, seen])
  } finally {
    worker.postMessage('end')
  }
  const [results] = await seen
  return results
}
