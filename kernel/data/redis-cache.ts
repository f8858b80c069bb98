import type { Redis } from 'ioredis'
import type { Logger } from '../log.ts'
import { createCache, type Cache, type CacheDriver } from './cache.ts'
import { orCacheError } from './redis-connection.ts'

const mostMissedDeletes = 10_000

/** A cache that all hosts share. While Redis is away reads miss, writes are dropped, and deletes are made up for afterwards. */
export function createRedisCache(redis: Redis, prefix: string, log: Logger): Cache {
  return createCache(new RedisDriver(redis, prefix, log))
}

class RedisDriver implements CacheDriver {
  readonly #redis: Redis
  readonly #prefix: string
  readonly #log: Logger
  /** Keys that should be gone but Redis did not hear of it; without them an outage would leave stale values behind. */
  readonly #missed = { keys: new Set<string>(), prefixes: new Set<string>() }
  #isFailing = false

  constructor(redis: Redis, prefix: string, log: Logger) {
    this.#redis = redis
    this.#prefix = prefix
    this.#log = log
    redis.on('ready', () => void this.#makeUp())
  }

  async get(key: string): Promise<string | undefined> {
    if (this.#isMissed(key)) return undefined
    return (await this.#orMiss(this.#redis.get(this.#prefix + key))) ?? undefined
  }

  async set(key: string, text: string, ttlSeconds: number): Promise<boolean> {
    const milliseconds = Math.max(1, Math.round(ttlSeconds * 1000))
    const answer = await this.#orMiss(this.#redis.set(this.#prefix + key, text, 'PX', milliseconds))
    if (answer === 'OK') this.#missed.keys.delete(key)
    return answer === 'OK'
  }

  async delete(keys: readonly string[]): Promise<void> {
    const count = await this.#orMiss(this.#redis.unlink(keys.map((key) => this.#prefix + key)))
    if (count === undefined) for (const key of keys) this.#miss(this.#missed.keys, key)
  }

  async take(key: string): Promise<string | undefined> {
    if (this.#isMissed(key)) return undefined
    return (await this.#orMiss(this.#redis.getdel(this.#prefix + key))) ?? undefined
  }

  async deleteByPrefix(prefix: string): Promise<void> {
    const isDone = await this.#orMiss(this.#unlinkAll(prefix))
    if (!isDone) this.#miss(this.#missed.prefixes, prefix)
  }

  async ping(): Promise<void> {
    await orCacheError(this.#redis.ping())
  }

  async #unlinkAll(prefix: string): Promise<true> {
    const pattern = `${(this.#prefix + prefix).replace(/[\\*?[\]]/g, '\\$&')}*`
    let cursor = '0'
    do {
      const [next, keys] = await this.#redis.scan(cursor, 'MATCH', pattern, 'COUNT', 1000)
      if (keys.length > 0) await this.#redis.unlink(keys)
      cursor = next
    } while (cursor !== '0')
    return true
  }

  async #orMiss<T>(command: Promise<T>): Promise<T | undefined> {
    try {
      const value = await command
      this.#isFailing = false
      return value
    } catch (error) {
      if (!this.#isFailing) this.#log.warn({ err: error }, 'The cache fails: reads miss and writes are dropped')
      this.#isFailing = true
      return undefined
    }
  }

  #miss(set: Set<string>, entry: string): void {
    set.add(entry)
    if (this.#missed.keys.size + this.#missed.prefixes.size <= mostMissedDeletes) return
    this.#missed.keys.clear()
    this.#missed.prefixes.clear()
    this.#missed.prefixes.add('')
  }

  #isMissed(key: string): boolean {
    if (this.#missed.keys.has(key)) return true
    for (const prefix of this.#missed.prefixes) if (key.startsWith(prefix)) return true
    return false
  }

  async #makeUp(): Promise<void> {
    const keys = [...this.#missed.keys]
    const prefixes = [...this.#missed.prefixes]
    if (keys.length > 0) await this.delete(keys)
    for (const prefix of prefixes) await this.deleteByPrefix(prefix)
    if (this.#isFailing) return
    for (const key of keys) this.#missed.keys.delete(key)
    for (const prefix of prefixes) this.#missed.prefixes.delete(prefix)
  }
}
