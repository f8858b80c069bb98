import type { ConfigType } from './config-types.ts'
import type { Knex } from 'knex'
import type { Cache } from './data/cache.ts'
import type { Bus } from './data/bus.ts'
import type { ChangeListener, Changes } from './data/change-feed.ts'
import type { EventLog } from './data/event-log/event-log.ts'
import type { Locks } from './data/lock.ts'
import type { RateLimiter } from './data/rate-limiter.ts'
import type { WindowCounter } from './data/window-counter.ts'
import type { InheritedMigrations } from './data/migrate.ts'
import type { SealedColumn } from './data/rotate-secrets.ts'
import type { SecretBox } from './data/secret-box.ts'
import type { Environment } from './env.ts'
import type { EventRef, Listener, Reach, Witness } from './event.ts'
import type { Route } from './http/route.ts'
import type { SocketRoute } from './http/sockets/socket-route.ts'
import type { Localised } from './locale/locale.ts'
import type { Messages } from './locale/message-table.ts'
import type { Logger } from './log.ts'
import type { PermissionDeclaration } from './permission.ts'
import { defineService, type ServiceRef } from './service.ts'

/** Services a plugin is handed at setup, by the name it calls them. */
export type Needs = Readonly<Record<string, ServiceRef<unknown>>>
/** The implementations behind needs. */
export type Needed<N extends Needs> = { readonly [name in keyof N]: N[name] extends ServiceRef<infer T> ? T : never }

/** One entry of the navigation that a plugin adds. */
export interface MenuDeclaration {
  readonly name: string
  readonly title: Localised
  readonly area: 'admin' | 'tenant' | 'user'
  readonly type: 'dir' | 'menu' | 'link' | 'plugin'
  readonly parent?: string
  readonly path?: string
  readonly component?: string
  readonly icon?: string
  readonly permission?: string
  readonly sort: number
  /** Its page is there, and the navigation does not show it. */
  readonly hidden?: boolean
}

/** One configuration item a plugin adds. */
export interface ConfigItemDeclaration {
  readonly key: string
  readonly type: ConfigType
  readonly name: Localised
  readonly description?: Localised
  readonly default?: unknown
  readonly required?: boolean
  readonly readonly?: boolean
  /** Whether the public configuration shows it. */
  readonly public?: boolean
  readonly approval?: 'none' | 'sensitive'
  /** Of a PASSWORD: keys of its group that say where it goes. When one of them changes, it must be given again in the same write. */
  readonly boundTo?: readonly string[]
  readonly rules?: {
    readonly min?: number
    readonly max?: number
    readonly min_value?: number
    readonly max_value?: number
    readonly min_length?: number
    readonly max_length?: number
    readonly pattern?: string
    readonly format?: 'time-zone'
  }
  readonly options?: readonly { readonly label: Localised; readonly value: string | number }[]
  readonly dynamicOptions?: boolean
  /** Who lists the options while the platform runs, such as `access.roles`; for items with dynamic options. */
  readonly optionsSource?: string
  readonly ui?: {
    readonly placeholder?: string
    readonly unit?: string
    readonly visibleWhen?: Readonly<Record<string, unknown>>
  }
}

/** A group of configuration items a plugin adds. */
export interface ConfigGroupDeclaration {
  readonly code: string
  readonly name: Localised
  readonly description?: Localised
  readonly icon?: string
  readonly parent?: string
  readonly sort: number
  readonly scope: 'ADMIN_ONLY' | 'ALL_TENANTS'
  readonly items: readonly ConfigItemDeclaration[]
}

/** What a plugin is, readable without running it. The same facts a third-party plugin states in manifest.json. */
export interface Manifest<N extends Needs = Needs> {
  readonly name: string
  readonly version: string
  readonly title: Localised
  readonly description: Localised
  readonly permissions?: readonly PermissionDeclaration[]
  readonly menus?: readonly MenuDeclaration[]
  readonly config?: readonly ConfigGroupDeclaration[]
  /** Folder of migrations, run before the first setup. */
  readonly migrations?: string
  /** Those of its migrations that another plugin had before: what ran as that one's has run. */
  readonly inherited?: InheritedMigrations
  /** Where its tables keep what `scope.secrets` sealed, so that a rotation of keys finds it. */
  readonly sealed?: readonly SealedColumn[]
  /** Texts of errors by locale and reason; English stands in the errors themselves. */
  readonly messages?: Messages
  /** Services handed to setup; their providers are enabled first. */
  readonly needs?: N
  readonly provides?: readonly ServiceRef<unknown>[]
}

/** What a plugin does: setup is enable, and undoing all it registered is disable. */
export interface Plugin<N extends Needs = Needs> extends Manifest<N> {
  setup(scope: Scope, needs: Needed<N>): void | Promise<void>
}

/** All that an enabled plugin may do. What it registers lives exactly as long as it is enabled. */
export interface Scope {
  readonly plugin: string
  /** This process among several; new at every start. */
  readonly hostId: string
  readonly db: Knex
  readonly cache: Cache
  /** For keys in the cache of what stands in the database. */
  readonly changes: Pick<Changes, 'version'>
  readonly limiter: RateLimiter
  readonly windows: WindowCounter
  readonly locks: Locks
  readonly bus: Bus
  /** The latest events of all hosts, for those who were away for a moment. */
  readonly eventLog: EventLog
  readonly secrets: SecretBox
  readonly env: Environment
  readonly log: Logger
  route(...routes: readonly Route[]): void
  /** Opens WebSockets; whoever does so closes its own when it ends, or when the host stops. */
  sockets(...routes: readonly SocketRoute[]): void
  provide<T>(ref: ServiceRef<T>, implementation: T): void
  on<P>(event: EventRef<P>, listener: Listener<P>, reach?: Reach): void
  /**
   * Hears within a second what any host changed of a kind that a migration notes, also when every word on the bus was lost;
   * `all` when something may have been missed.
   */
  onChanges(kind: string, listener: ChangeListener): void
  /** Only events named after this plugin; answers whether no listener of this host failed and the other hosts were told. */
  emit<P>(event: EventRef<P>, payload: P): Promise<boolean>
  /** Is told within the transactions that cause an event, once for each: what must not be lost is written there, and nothing else. */
  onWithin<P>(event: EventRef<P>, witness: Witness<P>): void
  /** Before `emit`, in the transaction of the cause; only events named after this plugin. */
  emitWithin<P>(trx: Knex.Transaction, event: EventRef<P>, payload: P): Promise<void>
  /** Runs work each so many milliseconds, never twice at once; what it throws is logged. */
  every(milliseconds: number, work: () => void | Promise<void>): void
  /** Registers in a table of another's; where a plugin is replaced, in the moment in which what the one before registered goes. */
  register(register: () => Disposable): void
  use<T extends Disposable | AsyncDisposable>(resource: T): T
  defer(cleanup: () => void | Promise<void>): void
}

/** A kernel's list of enabled plugins, for whoever manages plugins. */
export interface PluginHost {
  enable(plugin: Plugin): Promise<void>
  /**
   * Puts an enabled plugin in the place of the one of its name: at no moment is a route of both gone, and when the setup
   * throws, the one before stays as it is. Enables one that is not there.
   */
  replace(plugin: Plugin): Promise<void>
  disable(name: string): Promise<void>
  readonly manifests: readonly Manifest[]
}

/** Provided by the kernel to whoever manages plugins. */
export const pluginHost = defineService<PluginHost>('kernel.plugin_host')

/** Declares a plugin; its needs give setup their types. */
export function definePlugin<const N extends Needs = Record<never, never>>(plugin: Plugin<N>): Plugin {
  return plugin
}
