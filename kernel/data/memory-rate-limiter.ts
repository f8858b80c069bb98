import type { RateLimit, RateLimiter } from './rate-limiter.ts'

interface Log {
  times: number[]
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
    const times = (this.#logs.get(key)?.times ?? []).filter((time) => time > now - window)
    const allowed = times.length < requests
    if (allowed) times.push(now)
    this.#logs.set(key, { times, expires: now + window })
    const remaining = Math.max(0, requests - times.length)
    return Promise.resolve({
      allowed,
      remaining,
      resetSeconds: Math.max(1, Math.ceil(((times[0] ?? now) + window - now) / 1000)),
    })
  }

  /** Windows nobody asks for any more would stay for ever. */
  #sweep(now: number): void {
    for (const [key, log] of this.#logs) if (log.expires <= now) this.#logs.delete(key)
  }
}
