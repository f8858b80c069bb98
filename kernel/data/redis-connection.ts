import { Redis, type Command, type RedisOptions } from 'ioredis'
import { StartError } from '../start-error.ts'
import type { Logger } from '../log.ts'
import { CacheError } from './errors.ts'

const oldestVersion = [6, 2] as const

/** A connection that only listens would never notice that nothing arrives any more. */
const heartbeatMilliseconds = 2_000

const commandMilliseconds = 1_000
/** How long after a late command nothing may come at all. */
const silentMilliseconds = 500

/** A connection that fails fast: while Redis is away every command rejects at once, and nothing waits in a queue. */
const failFast = {
  lazyConnect: true,
  connectTimeout: 2000,
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  retryStrategy: (times: number) => Math.min(50 * 2 ** Math.min(times, 5), 1000),
} satisfies RedisOptions

/**
 * Its commands are late only once what has come was read: a process that got no turn of the machine for a second finds its timers due before
 * it looks at its sockets, and would take an answer that lies there for none. The limits of ioredis go by the timer alone.
 */
class PatientRedis extends Redis {
  override sendCommand(...sent: Parameters<Redis['sendCommand']>): unknown {
    const [command] = sent
    let isOver = false
    const timer = afterReading(commandMilliseconds, () => !isOver && this.#giveUp(command))
    const ended = () => {
      isOver = true
      clearTimeout(timer)
    }
    command.promise.then(ended, ended)
    return super.sendCommand(...sent)
  }

  /** A silent peer is taken for dead, so that the commands after the first one do not wait as well. */
  #giveUp(command: Command): void {
    const { stream } = this
    const { bytesRead } = stream
    command.reject(new Error('Command timed out'))
    afterReading(silentMilliseconds, () => {
      if (stream.bytesRead === bytesRead) stream.destroy(new Error('Redis says nothing'))
    }).unref()
  }
}

/** Does something after a while, and after what came until then was read. */
function afterReading(milliseconds: number, act: () => void): NodeJS.Timeout {
  return setTimeout(() => setImmediate(act), milliseconds)
}

/** Connects to Redis, reports each outage once, and throws a StartError when it is not there or too old. */
export async function connectRedis(url: string, log: Logger): Promise<Redis> {
  const redis = new PatientRedis(url, failFast)
  reportOutages(redis, log)
  // The rejection of connect says only that the connection is closed; why, the first error knows.
  let reason: unknown
  redis.once('error', (error) => (reason = error))
  try {
    await redis.connect()
    await checkVersion(redis)
    keepAsking(redis)
    return redis
  } catch (error) {
    redis.disconnect()
    if (error instanceof StartError) throw error
    throw new StartError(`REDIS_URL cannot be reached: ${words(reason ?? error)}`, { cause: error })
  }
}

/** Runs a command whose failure the caller shall see, as the kernel's error. */
export async function orCacheError<T>(command: Promise<T>): Promise<T> {
  try {
    return await command
  } catch (cause) {
    throw new CacheError({ cause })
  }
}

/** Ends a connection, politely while Redis answers. */
export async function closeRedis(redis: Redis): Promise<void> {
  if (redis.status === 'ready') await redis.quit().catch(() => undefined)
  redis.disconnect()
}

/** Asks now and then, and so finds a wire that swallows everything: the deadlines of the question end it, and it is made anew. */
function keepAsking(redis: Redis): void {
  const timer = setInterval(() => {
    if (redis.status === 'ready') redis.ping().catch(() => undefined)
  }, heartbeatMilliseconds).unref()
  redis.once('end', () => clearInterval(timer))
}

/** An outage is logged when it begins and when it ends, whatever number of commands fails in it. */
function reportOutages(redis: Redis, log: Logger): void {
  let isAway = false
  redis.on('error', (error: Error) => {
    if (!isAway) log.error({ err: error }, 'Redis is away')
    isAway = true
  })
  redis.on('ready', () => {
    if (isAway) log.info({}, 'Redis is back')
    isAway = false
  })
}

async function checkVersion(redis: Redis): Promise<void> {
  const [, major = '0', minor = '0'] = /redis_version:(\d+)\.(\d+)/.exec(await redis.info('server')) ?? []
  const isOld = Number(major) < oldestVersion[0] || (major === '6' && Number(minor) < oldestVersion[1])
  if (isOld) throw new StartError(`REDIS_URL is Redis ${major}.${minor}: version ${oldestVersion.join('.')} is needed`)
}

function words(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.message || ('code' in error ? String(error.code) : error.name)
}
