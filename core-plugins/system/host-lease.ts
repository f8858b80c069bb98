import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { OutageLog, StartError, type Logger } from '#kernel'

const waitMilliseconds = 3000
const retryMilliseconds = 1000
/** One key for every host of a database; advisory locks of different databases do not meet. */
const lockKey = `hashtextextended('stoa.host', 0)`
const lockNotAvailable = '55P03'

/** Whether a host can share its database: through Redis it can, from its own memory it cannot. */
type LeaseMode = 'exclusive' | 'shared'

/**
 * A host's claim on its database, an advisory lock on a connection of its own: the server forgets it when the host dies, however it
 * dies. Hosts without Redis claim the database for themselves, because they would not hear each other's changes.
 */
export class HostLease {
  readonly #url: string
  readonly #mode: LeaseMode
  readonly #log: Logger
  #client: pg.Client | undefined
  readonly #stop = new AbortController()

  constructor(url: string, mode: LeaseMode, log: Logger) {
    this.#url = url
    this.#mode = mode
    this.#log = log
  }

  /** Claims the database; a StartError says that another host has it. */
  async take(): Promise<void> {
    const client = new pg.Client({
      ...{ connectionString: this.#url, application_name: 'stoa-host' },
      ...{ keepAlive: true, keepAliveInitialDelayMillis: retryMilliseconds * 10 },
      ...{ connectionTimeoutMillis: waitMilliseconds, query_timeout: waitMilliseconds * 2 },
    })
    // Without a listener a connection that breaks would end the process; one that breaks says so twice.
    client.on('error', () => undefined)
    client.once('error', (error: Error) => this.#log.warn({ err: error }, 'the connection of the host lease broke'))
    try {
      await client.connect()
      await client.query(`set lock_timeout = ${waitMilliseconds}`)
      await client.query(`select pg_advisory_lock${this.#mode === 'shared' ? '_shared' : ''}(${lockKey})`)
    } catch (error) {
      await client.end()
      throw (error as { code?: string }).code === lockNotAvailable ? takenByAnother(error) : error
    }
    this.#client = client
    client.once('end', () => void this.#retake(client))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort()
    const client = this.#client
    this.#client = undefined
    await client?.end()
  }

  /** The server was restarted or the network broke: claims the database again as soon as it answers. */
  async #retake(lost: pg.Client): Promise<void> {
    if (this.#client !== lost) return
    this.#client = undefined
    const outage = new OutageLog(this.#log, 'the database is not claimed by this host')
    while (!this.#stop.signal.aborted) {
      try {
        await this.take()
        // A stop that came meanwhile found no connection to close.
        if (this.#stop.signal.aborted) await this[Symbol.asyncDispose]()
        outage.worked()
        return
      } catch (error) {
        outage.failed(error)
        await delay(retryMilliseconds, undefined, { signal: this.#stop.signal, ref: false }).catch(() => undefined)
      }
    }
  }
}

function takenByAnother(cause: unknown): StartError {
  return new StartError('Another host uses this database: several hosts need Redis, set REDIS_URL on each', { cause })
}
