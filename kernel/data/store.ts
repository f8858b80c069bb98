import type { Logger } from '../log.ts'
import type { Bus } from './bus.ts'
import type { Cache } from './cache.ts'
import type { EventLog } from './event-log/event-log.ts'
import { MemoryEventLog } from './event-log/memory-event-log.ts'
import { RedisEventLog } from './event-log/redis-event-log.ts'
import type { Locks } from './lock.ts'
import { createMemoryBus } from './memory-bus.ts'
import { createMemoryCache } from './memory-cache.ts'
import { MemoryLocks } from './memory-locks.ts'
import { MemoryRateLimiter } from './memory-rate-limiter.ts'
import { MemoryWindowCounter } from './memory-window-counter.ts'
import type { RateLimiter } from './rate-limiter.ts'
import { RedisBus } from './redis-bus.ts'
import { createRedisCache } from './redis-cache.ts'
import { closeRedis, connectRedis } from './redis-connection.ts'
import { RedisLocks } from './redis-locks.ts'
import { RedisRateLimiter } from './redis-rate-limiter.ts'
import { RedisWindowCounter } from './redis-window-counter.ts'
import type { WindowCounter } from './window-counter.ts'

/** What may be lost: in the memory of this process, or in Redis for all hosts. */
export interface Store extends AsyncDisposable {
  readonly kind: 'memory' | 'redis'
  readonly cache: Cache
  readonly limiter: RateLimiter
  readonly windows: WindowCounter
  readonly locks: Locks
  readonly bus: Bus
  readonly eventLog: EventLog
}

/** How the store is opened. */
export interface StoreOptions {
  readonly redisUrl?: string
  readonly hostId: string
  readonly log: Logger
  /** Sets the keys of installations that share one Redis apart. */
  readonly namespace?: string
}

/** Opens the store: Redis when there is a URL, memory otherwise. */
export async function openStore(options: StoreOptions): Promise<Store> {
  if (options.redisUrl) return openRedisStore(options.redisUrl, options)
  return {
    kind: 'memory',
    cache: createMemoryCache(),
    limiter: new MemoryRateLimiter(),
    windows: new MemoryWindowCounter(),
    locks: new MemoryLocks(),
    bus: createMemoryBus(),
    eventLog: new MemoryEventLog(),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  }
}

async function openRedisStore(url: string, { hostId, log, namespace }: StoreOptions): Promise<Store> {
  await using connections = new AsyncDisposableStack()
  const speaker = connections.adopt(await connectRedis(url, log), closeRedis)
  const listener = connections.adopt(await connectRedis(url, log), closeRedis)
  const prefix = namespace ? `stoa:${namespace}:` : 'stoa:'
  const bus = await RedisBus.open({ speaker, listener, topic: `${prefix}bus`, hostId, log })
  const eventLog = await RedisEventLog.open({ speaker, listener, prefix: `${prefix}log:`, log })
  const close = connections.move()
  return {
    kind: 'redis',
    cache: createRedisCache(speaker, `${prefix}cache:`, log),
    limiter: new RedisRateLimiter(speaker, `${prefix}limit:`, new MemoryRateLimiter(), log),
    windows: new RedisWindowCounter(speaker, `${prefix}window:`, new MemoryWindowCounter(), log),
    locks: new RedisLocks(speaker, `${prefix}lock:`),
    bus,
    eventLog,
    [Symbol.asyncDispose]: () => close.disposeAsync(),
  }
}
