import { openDatabase, type Database, type Logger } from '#kernel'
import { sandboxLimits } from '../../limits.ts'
import { pluginRoleName } from './plugin-role.ts'
import { readTableCatalogue, type TableCatalogue } from './table-catalogue.ts'

/** A plugin's own connections, and what its tables look like. */
export interface RolePool {
  readonly knex: Database['knex']
  readonly catalogue: TableCatalogue
}

/** What pools are opened with. */
interface RolePoolsOptions {
  readonly urlFor: (user: string, password: string) => string
  readonly password: (plugin: string) => string
  /** How many connections a plugin may have now; what the limits table says unless given. */
  readonly connections?: (plugin: string) => number
  readonly log: Logger
  /** How long a statement waits for a free connection: longer than it takes to learn that nobody lets anybody in, unless given. */
  readonly acquireMs?: number | undefined
  /** A pool that was not used for so long is closed; a minute unless said otherwise. */
  readonly idleMs?: number
}

interface Entry {
  readonly opened: Promise<RolePool & AsyncDisposable>
  readonly size: number
  users: number
  usedAt: number
}

const idleMs = 60_000
const acquireMs = 4_500

/** One small pool for each plugin that is using its tables, under its own login role; idle plugins hold no connection. */
export class RolePools implements AsyncDisposable {
  readonly #options: RolePoolsOptions
  readonly #entries = new Map<string, Entry>()
  /** Out of the list, with somebody in them still. */
  readonly #left = new Set<Entry>()
  readonly #idleMs: number
  readonly #sweep: NodeJS.Timeout

  constructor(options: RolePoolsOptions) {
    this.#options = options
    this.#idleMs = options.idleMs ?? idleMs
    this.#sweep = setInterval(() => this.#closeIdle(), this.#idleMs / 2).unref()
  }

  /** Works with a plugin's pool, which stays open meanwhile. */
  async use<T>(plugin: string, tables: readonly string[], work: (pool: RolePool) => Promise<T>): Promise<T> {
    const size = this.#options.connections?.(plugin) ?? sandboxLimits.connections.default
    const key = keyOf(plugin, tables)
    const known = this.#entries.get(key)
    // A limit that was changed holds from the next time on at which nobody is in the pool.
    const isOutdated = known?.users === 0 && known.size !== size
    if (isOutdated) this.#leave(key)
    const entry = known && !isOutdated ? known : this.#open(key, { plugin, tables, size })
    entry.users++
    try {
      return await work(await entry.opened)
    } finally {
      entry.users--
      entry.usedAt = Date.now()
      if (entry.users === 0 && this.#left.delete(entry)) void end(entry)
    }
  }

  /** Opens new pools for a plugin from the next use on, whose tables may look different; what is in use ends as it is. */
  renew(plugin: string): void {
    for (const key of this.#keysOf(plugin)) this.#leave(key)
  }

  /** Plugins whose pool is open now. */
  get openPlugins(): readonly string[] {
    return [...new Set([...this.#entries.keys()].map(pluginOf))]
  }

  /** Closes a plugin's pools, whoever is in them. */
  async close(plugin: string): Promise<void> {
    const keys = this.#keysOf(plugin)
    const entries = keys.flatMap((key) => this.#entries.get(key) ?? [])
    for (const key of keys) this.#entries.delete(key)
    await Promise.all(entries.map(end))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#sweep)
    await Promise.all([...this.#entries.values(), ...this.#left].map(end))
    this.#entries.clear()
  }

  #open(
    key: string,
    { plugin, tables, size }: { readonly plugin: string; readonly tables: readonly string[]; readonly size: number },
  ): Entry {
    const opened = this.#openPool(plugin, tables, size)
    const entry: Entry = { opened, size, users: 0, usedAt: Date.now() }
    this.#entries.set(key, entry)
    // The next call tries again; this one hears of the failure through `use`.
    opened.catch(() => this.#entries.get(key) === entry && this.#entries.delete(key))
    return entry
  }

  #leave(key: string): void {
    const entry = this.#entries.get(key)
    if (!entry) return
    this.#entries.delete(key)
    if (entry.users === 0) void end(entry)
    else this.#left.add(entry)
  }

  #keysOf(plugin: string): readonly string[] {
    return [...this.#entries.keys()].filter((key) => pluginOf(key) === plugin)
  }

  async #openPool(plugin: string, tables: readonly string[], poolSize: number): Promise<RolePool & AsyncDisposable> {
    const { urlFor, password, log, acquireMs: acquireTimeoutMs = acquireMs } = this.#options
    await using opening = new AsyncDisposableStack()
    const database = opening.use(
      await openDatabase({
        url: urlFor(pluginRoleName(plugin, databaseOf(urlFor('', ''))), password(plugin)),
        poolSize,
        log,
        applicationName: `stoa ${plugin}`.slice(0, 63),
        acquireTimeoutMs,
        statementMs: sandboxLimits.statementMs.default,
        role: 'plugin',
      }),
    )
    const catalogue = await readTableCatalogue(database.knex, plugin, tables)
    const opened = opening.move()
    return { knex: database.knex, catalogue, [Symbol.asyncDispose]: () => opened.disposeAsync() }
  }

  #closeIdle(): void {
    const before = Date.now() - this.#idleMs
    for (const [key, { users, usedAt }] of this.#entries) if (users === 0 && usedAt < before) this.#leave(key)
  }
}

/** Two releases of a plugin that know other tables have pools apart while the calls of both run. */
function keyOf(plugin: string, tables: readonly string[]): string {
  return `${plugin} ${tables.join()}`
}

function pluginOf(key: string): string {
  return key.slice(0, key.indexOf(' '))
}

async function end({ opened }: Entry): Promise<void> {
  const pool = await opened.catch(() => undefined)
  await pool?.[Symbol.asyncDispose]()
}

function databaseOf(url: string): string {
  return decodeURIComponent(new URL(url).pathname.slice(1))
}
