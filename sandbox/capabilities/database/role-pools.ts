import { openDatabase, type Database, type Logger } from '#kernel'
import { LIMITS } from '../../limits.ts'
import { pluginRoleName } from './plugin-role.ts'
import { readTableCatalogue, type TableCatalogue } from './table-catalogue.ts'

/** A plugin's own connections, and what its tables look like. */
export interface RolePool {
  readonly knex: Database['knex']
  readonly catalogue: TableCatalogue
}

/** What pools are opened with. */
export interface RolePoolsOptions {
  readonly urlFor: (user: string, password: string) => string
  readonly password: (plugin: string) => string
  /** How many connections a plugin may have now; what the limits table says unless given. */
  readonly connections?: (plugin: string) => number
  readonly log: Logger
  /** A pool that was not used for so long is closed; a minute unless said otherwise. */
  readonly idleMs?: number
}

interface Entry {
  readonly opened: Promise<RolePool & AsyncDisposable>
  readonly size: number
  users: number
  usedAt: number
}

const IDLE_MS = 60_000
const ACQUIRE_MS = 3_000

/** One small pool for each plugin that is using its tables, under its own login role; idle plugins hold no connection. */
export class RolePools implements AsyncDisposable {
  readonly #options: RolePoolsOptions
  readonly #entries = new Map<string, Entry>()
  readonly #idleMs: number
  readonly #sweep: NodeJS.Timeout

  constructor(options: RolePoolsOptions) {
    this.#options = options
    this.#idleMs = options.idleMs ?? IDLE_MS
    this.#sweep = setInterval(() => this.#closeIdle(), this.#idleMs / 2).unref()
  }

  /** Works with a plugin's pool, which stays open meanwhile. */
  async use<T>(plugin: string, tables: readonly string[], work: (pool: RolePool) => Promise<T>): Promise<T> {
    const size = this.#options.connections?.(plugin) ?? LIMITS.connections.default
    const known = this.#entries.get(plugin)
    // A limit that was changed holds from the next time on at which nobody is in the pool.
    const isOutdated = known?.users === 0 && known.size !== size
    if (isOutdated) void this.close(plugin)
    const entry = known && !isOutdated ? known : this.#open(plugin, tables, size)
    entry.users++
    try {
      return await work(await entry.opened)
    } finally {
      entry.users--
      entry.usedAt = Date.now()
    }
  }

  /** Plugins whose pool is open now. */
  get openPlugins(): readonly string[] {
    return [...this.#entries.keys()]
  }

  /** Closes a plugin's pool: its tables may look different afterwards. */
  async close(plugin: string): Promise<void> {
    const entry = this.#entries.get(plugin)
    this.#entries.delete(plugin)
    const opened = await entry?.opened.catch(() => undefined)
    await opened?.[Symbol.asyncDispose]()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#sweep)
    await Promise.all(this.openPlugins.map((plugin) => this.close(plugin)))
  }

  #open(plugin: string, tables: readonly string[], size: number): Entry {
    const entry: Entry = { opened: this.#openPool(plugin, tables, size), size, users: 0, usedAt: Date.now() }
    this.#entries.set(plugin, entry)
    // The next call tries again; this one hears of the failure through `use`.
    entry.opened.catch(() => this.#entries.get(plugin) === entry && this.#entries.delete(plugin))
    return entry
  }

  async #openPool(plugin: string, tables: readonly string[], poolSize: number): Promise<RolePool & AsyncDisposable> {
    const { urlFor, password, log } = this.#options
    await using opening = new AsyncDisposableStack()
    const database = opening.use(
      await openDatabase({
        url: urlFor(pluginRoleName(plugin, databaseOf(urlFor('', ''))), password(plugin)),
        poolSize,
        log,
        applicationName: `stoa ${plugin}`.slice(0, 63),
        acquireTimeoutMs: ACQUIRE_MS,
        role: 'plugin',
      }),
    )
    const catalogue = await readTableCatalogue(database.knex, plugin, tables)
    const opened = opening.move()
    return { knex: database.knex, catalogue, [Symbol.asyncDispose]: () => opened.disposeAsync() }
  }

  #closeIdle(): void {
    const before = Date.now() - this.#idleMs
    for (const [plugin, { users, usedAt }] of this.#entries) {
      if (users === 0 && usedAt < before) void this.close(plugin)
    }
  }
}

function databaseOf(url: string): string {
  return decodeURIComponent(new URL(url).pathname.slice(1))
}
