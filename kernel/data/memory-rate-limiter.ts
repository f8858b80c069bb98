import type { RateLimit, RateLimiter } from './rate-limiter.ts'

/** When requests came, those before `first` too long ago to count. */
interface Log {
  readonly times: number[]
  first: number
  expires: number
}

const sweepEvery = 1000

/** Counts in this process alone. */
export class MemoryRateLimiter implements RateLimiter {
  readonly #logs = new Map<string, Log>()
  #hits = 0

  hit(key: string, requests: number, seconds: number): Promise<RateLimit> {
    const now = Date.now()
    if (++this.#hits % sweepEvery === 0) this.#sweep(now)
    const window = seconds * 1000
    const log = this.#logs.get(key) ?? { times: [], first: 0, expires: 0 }
    const { times } = log
    dropBefore(log, now - window)
    const counted = times.length - log.first
    const allowed = counted < requests
    if (allowed) times.push(now)
    log.expires = now + window
    this.#logs.set(key, log)
    const remaining = Math.max(0, requests - counted - (allowed ? 1 : 0))
    return Promise.resolve({
      allowed,
      remaining,
      resetSeconds: Math.max(1, Math.ceil(((times[log.first] ?? now) + window - now) / 1000)),
    })
  }

  /** Windows nobody asks for any more would stay for ever. */
  #sweep(now: number): void {
    for (const [key, log] of this.#logs) if (log.expires <= now) this.#logs.delete(key)
  }
}

/** Leaves out what came up to a moment; the array is cut when half of it is, so that a limit of thousands costs each request no more than one of few. */
function dropBefore(log: Log, moment: number): void {
  const { times } = log
  while (log.first < times.length && (times[log.first] ?? 0) <= moment) log.first += 1
  if (log.first * 2 <= times.length) return
  times.splice(0, log.first)
  log.first = 0
}
