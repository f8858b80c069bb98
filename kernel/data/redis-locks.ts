import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import { LockBusyError } from './errors.ts'
import { defaultLockOptions, type LockOptions, type Locks } from './lock.ts'
import { orCacheError } from './redis-connection.ts'

// Only the holder may prolong or release: a lock that ran out may be somebody else's by now.
const renew = `if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) end return 0`
const release = `if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0`

type Scripts = Redis & {
  stoaRenew(key: string, token: string, ttlMs: number): Promise<number>
  stoaRelease(key: string, token: string): Promise<number>
}

/** Locks that all hosts share. */
export class RedisLocks implements Locks {
  readonly #redis: Scripts
  readonly #prefix: string

  constructor(redis: Redis, prefix: string) {
    redis.defineCommand('stoaRenew', { numberOfKeys: 1, lua: renew })
    redis.defineCommand('stoaRelease', { numberOfKeys: 1, lua: release })
    this.#redis = redis as Scripts
    this.#prefix = prefix
  }

  async withLock<T>(name: string, work: (signal: AbortSignal) => Promise<T>, options?: LockOptions): Promise<T> {
    const { waitMs, ttlMs } = { ...defaultLockOptions, ...options }
    const key = this.#prefix + name
    const token = randomUUID()
    const deadline = Date.now() + waitMs
    while ((await orCacheError(this.#redis.set(key, token, 'PX', ttlMs, 'NX'))) !== 'OK') {
      if (Date.now() >= deadline) throw new LockBusyError({ name })
      await delay(Math.min(20 + Math.random() * 30, Math.max(1, deadline - Date.now())))
    }
    const lost = new AbortController()
    const renewal = this.#keep(key, token, ttlMs, lost)
    try {
      return await work(lost.signal)
    } finally {
      clearInterval(renewal)
      // What cannot be released now runs out by itself.
      await this.#redis.stoaRelease(key, token).catch(() => undefined)
    }
  }

  /** Renews three times a lifetime; the lock counts as lost when somebody else has it or no renewal came through in time. */
  #keep(key: string, token: string, ttlMs: number, lost: AbortController): NodeJS.Timeout {
    let expires = Date.now() + ttlMs
    return setInterval(() => {
      const asked = Date.now()
      this.#redis.stoaRenew(key, token, ttlMs).then(
        (renewed) => {
          if (renewed === 1) expires = asked + ttlMs
          else lost.abort()
        },
        () => {
          if (Date.now() >= expires) lost.abort()
        },
      )
    }, ttlMs / 3).unref()
  }
}
