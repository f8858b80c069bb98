import { parentPort, workerData } from 'node:worker_threads'
import { Api } from '../support/api.ts'
import { nameOf } from './tally.ts'
import type { Probe, Seen, WatchOrder } from './watch.ts'

// Calls until it is told to stop, waits for what is still under way, and tells what it saw.
const patienceMs = 60_000
const { url, token, probes } = workerData as WatchOrder
const api = new Api(url, token)

interface Took {
  readonly at: number
  readonly ms: number
}

class Watched {
  readonly #name: string
  readonly #path: string
  readonly #since = performance.now()
  readonly #calls: Promise<void>[] = []
  readonly #failed: string[] = []
  readonly #took: Took[] = []
  readonly #timer: NodeJS.Timeout
  #due: number
  #late = 0

  constructor({ name, path, everyMs }: Probe) {
    this.#name = name
    this.#path = path
    this.#due = performance.now() + everyMs
    this.#timer = setInterval(() => {
      this.#late = Math.max(this.#late, performance.now() - this.#due)
      this.#due = performance.now() + everyMs
      this.#calls.push(this.#call())
    }, everyMs)
  }

  async end(): Promise<Seen> {
    clearInterval(this.#timer)
    await Promise.all(this.#calls)
    const sorted = this.#took.toSorted((one, other) => one.ms - other.ms)
    const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
    const longest = at(1)
    return {
      name: this.#name,
      calls: this.#calls.length,
      failed: this.#failed,
      late: this.#late,
      ...{ p50: at(0.5)?.ms ?? 0, p99: at(0.99)?.ms ?? 0, longest: longest?.ms ?? 0, longestAt: longest?.at ?? 0 },
    }
  }

  async #call(): Promise<void> {
    const from = performance.now()
    const failure = await api.get(this.#path, { signal: AbortSignal.timeout(patienceMs) }).then(
      (answer) =>
        answer.status === 200 ? undefined : `${nameOf(answer)} ${JSON.stringify(answer.body).slice(0, 200)}`,
      (error: unknown) => `lost ${String(error)}`,
    )
    const ms = performance.now() - from
    this.#took.push({ at: from - this.#since, ms })
    if (failure !== undefined) this.#failed.push(`${failure} +${Math.round(ms)} ms`)
  }
}

const watched = probes.map((probe) => new Watched(probe))
parentPort?.once('message', () => {
  void Promise.all(watched.map((each) => each.end())).then((seen) => parentPort?.postMessage(seen))
})
