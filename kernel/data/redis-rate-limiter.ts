import { randomUUID } from 'node:crypto'
import type { Redis } from 'ioredis'
import type { Logger } from '../log.ts'
import type { RateLimit, RateLimiter } from './rate-limiter.ts'

/** One sorted set a key, a member a request; the server's clock, so that hosts whose clocks differ count alike. */
const slidingLog = `
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local requests, window = tonumber(ARGV[1]), tonumber(ARGV[2])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - window)
local count = redis.call('ZCARD', KEYS[1])
local allowed = 0
if count < requests then
  redis.call('ZADD', KEYS[1], now, ARGV[3])
  redis.call('PEXPIRE', KEYS[1], window)
  allowed, count = 1, count + 1
end
local oldest = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
return { allowed, math.max(0, requests - count), (tonumber(oldest[2]) or now) + window - now }
`

type Script = Redis & { stoaHit(key: string, ...rest: (string | number)[]): Promise<[number, number, number]> }

/** Counts for all hosts together; while Redis is away each host counts for itself. */
export class RedisRateLimiter implements RateLimiter {
  readonly #redis: Script
  readonly #prefix: string
  readonly #fallback: RateLimiter
  readonly #log: Logger
  #isFailing = false

  constructor(redis: Redis, prefix: string, fallback: RateLimiter, log: Logger) {
    redis.defineCommand('stoaHit', { numberOfKeys: 1, lua: slidingLog })
    this.#redis = redis as Script
    this.#prefix = prefix
    this.#fallback = fallback
    this.#log = log
  }

  async hit(key: string, requests: number, seconds: number): Promise<RateLimit> {
    try {
      const answer = await this.#redis.stoaHit(this.#prefix + key, requests, Math.round(seconds * 1000), randomUUID())
      this.#isFailing = false
      const [allowed, remaining, milliseconds] = answer
      return { allowed: allowed === 1, remaining, resetSeconds: Math.max(1, Math.ceil(milliseconds / 1000)) }
    } catch (error) {
      if (!this.#isFailing) this.#log.warn({ err: error }, 'Rate limits are counted on this host alone')
      this.#isFailing = true
      return this.#fallback.hit(key, requests, seconds)
    }
  }
}
