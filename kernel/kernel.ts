import type { ChangeFeed } from './data/change-feed.ts'
import type { Database } from './data/database.ts'
import { longestMigration, migrate, type DoneMigrations } from './data/migrate.ts'
import { createSecretBox, type SecretBox } from './data/secret-box.ts'
import type { Store } from './data/store.ts'
import type { Environment } from './env.ts'
import { EventHub, pluginDisabled, pluginEnabled } from './event.ts'
import type { AppParts } from './http/app-parts.ts'
import { createEndpointCompiler } from './http/endpoint.ts'
import { apiDocument, openApiDocument, type ApiDocument } from './http/openapi/document.ts'
import { RouteTable } from './http/router.ts'
import type { Listening } from './http/app.ts'
import { SocketTable } from './http/sockets/socket-table.ts'
import { textTeller } from './locale/text-teller.ts'
import { MessageTable } from './locale/message-table.ts'
import type { Logger } from './log.ts'
import { MetricSources, processMetrics } from './metrics.ts'
import { PermissionTable, permissionRegistry } from './permission.ts'
import { pluginHost, type Manifest, type Needs, type Plugin, type PluginHost } from './plugin.ts'
import { databaseConnection, withLogin } from './data/connection.ts'
import { alreadyEnabled, goneMeanwhile, stillNeeded } from './programming-errors.ts'
import { Registrations } from './registrations.ts'
import { createScope, type ScopeParts } from './scope.ts'
import { ServiceTable } from './service.ts'
import type { StartWatch } from './start-watch.ts'
import { texts } from './texts/texts.ts'

/** What a kernel is started with. */
export interface KernelOptions {
  readonly env: Environment
  readonly plugins: readonly Plugin[]
  readonly log?: Logger
  /** Sets this kernel's keys in Redis apart from others'; the environment's REDIS_NAMESPACE unless given. */
  readonly namespace?: string
  /** Check every response against its route's schema; for tests. */
  readonly checkResponses?: boolean
  /** When the schemas of routes are compiled: with their first request, or at once, so that tests find a wrong one. */
  readonly compileSchemas?: 'lazily' | 'at-once'
  /** Connections to the database at most; 10 unless said otherwise. */
  readonly poolSize?: number
  /** These plugins are all that this version has: a database with tables of others belongs to a newer one. */
  readonly isWhole?: boolean
  /** How long the start waits for one thing; a minute unless said otherwise. */
  readonly startMilliseconds?: number
}

/** Everything registered at the moment, for the leak check of tests. */
interface Registered {
  readonly plugins: readonly string[]
  readonly routes: readonly string[]
  readonly services: readonly string[]
  readonly listeners: Readonly<Record<string, number>>
  readonly permissions: readonly string[]
  readonly timers: number
}

/** A running kernel; disposing it drains requests for at most 10 s and stops everything. */
export interface Kernel extends PluginHost, AsyncDisposable {
  readonly url: string
  readonly hostId: string
  readonly services: ServiceTable
  readonly database: Database
  registered(): Registered
}

interface Enabled {
  readonly plugin: Plugin
  readonly resources: AsyncDisposableStack
  readonly registrations: Registrations
}

/** The kernel itself; plugins see it only through their scope. */
export class RunningKernel implements Kernel, ScopeParts, AppParts {
  readonly services = new ServiceTable()
  readonly permissions = new PermissionTable()
  readonly messages = new MessageTable()
  readonly timers = new Set<Disposable>()
  readonly sockets = new SocketTable()
  readonly routes: RouteTable
  readonly events: EventHub
  readonly secrets: SecretBox
  readonly env: Environment
  readonly checkResponses: boolean
  readonly compileSchemas: 'lazily' | 'at-once'
  readonly log: Logger
  readonly hostId: string
  readonly database: Database
  readonly store: Store
  readonly changes: ChangeFeed
  listening: Listening | undefined
  /** While the kernel starts. */
  starting: StartWatch | undefined
  resources: AsyncDisposableStack | undefined
  doneMigrations: DoneMigrations = new Map()
  readonly #enabled = new Map<string, Enabled>()

  constructor(
    { env, checkResponses, compileSchemas }: KernelOptions,
    log: Logger,
    hostId: string,
    database: Database,
    databaseUrl: string,
    store: Store,
    changes: ChangeFeed,
  ) {
    this.env = env
    this.checkResponses = checkResponses ?? false
    this.compileSchemas = compileSchemas ?? 'lazily'
    this.log = log
    this.hostId = hostId
    this.database = database
    this.store = store
    this.changes = changes
    store.bus.onMissed(() => {
      changes.forgetAll()
      void changes.look()
    })
    this.secrets = createSecretBox({ fernetKeys: env.fernetKeys, appSecret: env.appSecret })
    this.events = new EventHub(store.bus, log)
    this.routes = new RouteTable(this.permissions, createEndpointCompiler(this))
    this.messages.register(texts.messages)
    this.services.provide('kernel', pluginHost, this)
    this.services.provide('kernel', textTeller, this.messages)
    this.services.provide('kernel', permissionRegistry, this.permissions)
    this.services.provide('kernel', processMetrics, new MetricSources(log))
    this.services.provide('kernel', databaseConnection, {
      url: databaseUrl,
      urlFor: (user, password) => withLogin(databaseUrl, user, password),
    })
    this.services.provide<ApiDocument>('kernel', apiDocument, {
      build: (state) =>
        openApiDocument(
          this.routes,
          {
            url: this.env.publicUrl,
            describePlugin: (name) => this.#enabled.get(name)?.plugin.description.default,
            menus: () => this.manifests.flatMap(({ menus = [] }) => menus),
          },
          state,
        ),
    })
  }

  get url(): string {
    return this.listening?.url ?? ''
  }

  get manifests(): readonly Manifest[] {
    return [...this.#enabled.values()].map(({ plugin }) => plugin)
  }

  async enable(plugin: Plugin): Promise<void> {
    if (this.#enabled.has(plugin.name)) throw alreadyEnabled(plugin.name)
    await this.#setUp(plugin, true, (enabled) => this.#enabled.set(plugin.name, enabled))
    await this.events.emit(pluginEnabled, { name: plugin.name, version: plugin.version })
  }

  async replace(plugin: Plugin): Promise<void> {
    const { name, version } = plugin
    const before = this.#enabled.get(name)
    if (!before) return this.enable(plugin)
    const users = this.#usersOf(before.plugin)
    if (users.length > 0) throw stillNeeded(name, users)
    await this.#setUp(plugin, false, (enabled) => {
      if (this.#enabled.get(name) !== before) throw goneMeanwhile(name)
      enabled.registrations.takeOver(before.registrations)
      this.#enabled.set(name, enabled)
    })
    await this.events.emit(pluginEnabled, { name, version })
    await before.resources.disposeAsync().catch((error: unknown) => {
      this.log.error({ err: error, plugin: name }, 'what a replaced plugin held was not let go of cleanly')
    })
  }

  async disable(name: string): Promise<void> {
    const enabled = this.#enabled.get(name)
    if (!enabled) return
    const users = this.#usersOf(enabled.plugin)
    if (users.length > 0) throw stillNeeded(name, users)
    this.#enabled.delete(name)
    await enabled.resources.disposeAsync()
    await this.events.emit(pluginDisabled, { name })
  }

  /** Disables everything, the last enabled first; one that fails keeps none of the others from it. */
  async disableAll(): Promise<void> {
    await using all = new AsyncDisposableStack()
    for (const [name, { resources }] of this.#enabled) {
      all.use(resources)
      all.defer(() => void this.#enabled.delete(name))
    }
  }

  registered(): Registered {
    return {
      plugins: [...this.#enabled.keys()].sort(),
      routes: [...this.routes.names, ...this.sockets.names],
      services: this.services.ids,
      listeners: this.events.listenerCounts,
      permissions: this.permissions.list().map(({ name }) => name),
      timers: this.timers.size,
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const resources = this.resources
    this.resources = undefined
    await resources?.disposeAsync()
  }

  /** Runs a plugin's setup; `done` puts the result in its place. When anything throws, all of it is undone. */
  async #setUp(plugin: Plugin, isOpen: boolean, done: (enabled: Enabled) => void): Promise<void> {
    this.starting?.begin(`the migrations of ${plugin.name}`, longestMigration)
    const { name, migrations, inherited } = plugin
    if (migrations) await migrate(this.database.knex, name, migrations, this.log, inherited, this.doneMigrations)
    this.starting?.begin(`the plugin ${plugin.name}`)
    const resources = new AsyncDisposableStack()
    await using undo = new AsyncDisposableStack()
    undo.use(resources)
    const registrations = new Registrations(resources, { isOpen })
    registrations.add(() => this.permissions.register(plugin.name, plugin.permissions ?? []))
    registrations.add(() => this.messages.register(plugin.messages ?? {}))
    const scope = createScope(plugin, this, resources, registrations)
    await plugin.setup(scope, this.#needed(plugin))
    scope.openRoutes()
    done({ plugin, resources, registrations })
    undo.move()
  }

  #needed(plugin: Plugin): never {
    const needs: Needs = plugin.needs ?? {}
    return Object.fromEntries(Object.entries(needs).map(([name, ref]) => [name, this.services.get(ref)])) as never
  }

  #usersOf({ name, provides = [] }: Plugin): readonly string[] {
    const provided = new Set(provides.map(({ id }) => id))
    return [...this.#enabled.values()].flatMap(({ plugin }) => {
      const uses = Object.values(plugin.needs ?? {}).some(({ id }) => provided.has(id))
      return uses && plugin.name !== name ? [plugin.name] : []
    })
  }
}
