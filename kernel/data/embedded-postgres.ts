import type { Logger } from '../log.ts'
import { OutageLog } from '../outage-log.ts'
import { findAccount } from './embedded/account.ts'
import { findBinaries, linkLibraries, type Binaries } from './embedded/binaries.ts'
import { ensureCluster, platformRole, readPassword } from './embedded/cluster.ts'
import { Membership } from './embedded/membership.ts'
import { preparePlaces, type Places } from './embedded/places.ts'
import { findServer, isServer, startServer, type Server } from './embedded/server.ts'

/** What the private server is started with. */
interface EmbeddedPostgresOptions {
  readonly dataDir: string
  readonly log: Logger
  /** Server settings over our own; they count for whoever starts the server, not for who attaches. */
  readonly settings?: Readonly<Record<string, string>>
  /** Lets the platform's role create databases, which only tests need; counts when the data folder is made. */
  readonly mayCreateDatabases?: boolean
}

/** A private PostgreSQL; disposing it leaves, and the last process to leave stops the server. */
export interface EmbeddedPostgres extends AsyncDisposable {
  readonly url: string
  readonly pid: number
}

const watchEvery = 500

/** Starts the private PostgreSQL of a data folder, or attaches to it when another process has started it. */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const places = await preparePlaces(options.dataDir)
  const binaries = await findBinaries(places.libraries)
  const embedded = new RunningEmbeddedPostgres(options, places, binaries)
  try {
    await embedded.ensure()
    await embedded.open()
    return embedded
  } catch (error) {
    await embedded[Symbol.asyncDispose]()
    throw error
  }
}

class RunningEmbeddedPostgres implements EmbeddedPostgres {
  readonly #options: EmbeddedPostgresOptions
  readonly #places: Places
  readonly #binaries: Binaries
  readonly #outage: OutageLog
  #isGone = false
  #membership: Membership | undefined
  #server: Server | undefined
  #url = ''
  #watch: NodeJS.Timeout | undefined
  #watching: Promise<void> = Promise.resolve()

  constructor(options: EmbeddedPostgresOptions, places: Places, binaries: Binaries) {
    this.#options = options
    this.#outage = new OutageLog(options.log, 'The embedded PostgreSQL cannot be started again')
    this.#places = places
    this.#binaries = binaries
  }

  get url(): string {
    return this.#url
  }

  get pid(): number {
    return this.#server?.pid ?? 0
  }

  /** Makes this process a member and the server run, whichever of the two is missing. */
  async ensure(): Promise<void> {
    if (!this.#membership?.isAlive) this.#membership = await Membership.join(this.#places.root, this.#places.pidFile)
    this.#server = await this.#membership.exclusively(async () => (await findServer(this.#places)) ?? this.#start())
  }

  /** From here on the server is brought back when it dies under us. */
  async open(): Promise<void> {
    const password = await readPassword(this.#places)
    const host = encodeURIComponent(this.#server?.sockets ?? this.#places.sockets)
    this.#url = `postgres://${platformRole}:${password}@localhost/${platformRole}?host=${host}`
    this.#schedule()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#watch)
    this.#watch = undefined
    await this.#watching
    await this.#membership?.[Symbol.asyncDispose]()
  }

  async #start(): Promise<Server> {
    const { log, settings = {}, mayCreateDatabases = false } = this.#options
    const account = await findAccount([this.#places.root, this.#binaries.postgres])
    await linkLibraries(this.#binaries)
    await ensureCluster(this.#places, this.#binaries, account, mayCreateDatabases)
    const server = await startServer(this.#places, this.#binaries, account, settings)
    log.info({ pid: server.pid, folder: this.#places.data }, 'The embedded PostgreSQL runs')
    return server
  }

  #schedule(): void {
    this.#watch = setTimeout(() => {
      this.#watching = this.#look().finally(() => {
        if (this.#watch) this.#schedule()
      })
    }, watchEvery).unref()
  }

  async #look(): Promise<void> {
    if (this.#membership?.isAlive && (await isServer(this.pid, this.#places))) return
    if (!this.#isGone) this.#options.log.error({ pid: this.pid }, 'The embedded PostgreSQL is gone and started again')
    this.#isGone = true
    await this.#outage.watch(async () => {
      await this.ensure()
      this.#isGone = false
    })
  }
}
