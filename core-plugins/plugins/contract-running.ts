import { defineService, type Principal, type Scope } from '#kernel'
import type { Capability, Gate, Grants, GuestJobs, PluginManifest, Release, Sandbox, SandboxServices } from '#sandbox'
import type { Knex } from 'knex'

/** A plugin that is installed, running or not. */
export interface InstalledPlugin {
  readonly id: number
  readonly name: string
  readonly status: string
  readonly removing: boolean
  readonly activeRelease: number
}

/** A plugin that is installed, with what is known of its active release. */
export interface InstalledRelease extends InstalledPlugin {
  /** The index source it belongs to; null for an upload. */
  readonly source: string | null
  readonly pinned: boolean
  readonly release: {
    readonly version: string
    readonly treeHash: string
    /** The publisher's key; null where nobody signed it. */
    readonly kid: string | null
    /** Where the release was taken from. */
    readonly source: string | null
  }
}

/** The plugins that are installed. */
export interface PluginDirectory {
  /** By its id or its name; throws 404/4046 when it is not installed. */
  get(idOrName: string): Promise<InstalledPlugin>
  /** The same, for a tenant that may use it; throws 404/4046 for every other one, too. */
  getForTenant(idOrName: string, tenantId: number): Promise<InstalledPlugin>
  /** All of them, or those with these names, by name; also such as are being removed. */
  list(names?: readonly string[]): Promise<readonly InstalledRelease[]>
  /** The manifests of their active releases, by the id of the plugin. */
  manifestsOf(
    plugins: readonly Pick<InstalledPlugin, 'id' | 'activeRelease'>[],
  ): Promise<ReadonlyMap<number, PluginManifest>>
  /** Throws 409/4094 for one that is not enabled. */
  requireEnabled(plugin: InstalledPlugin): void
}

/** A plugin whose release lies verified on this host, with what it was granted. */
export interface LoadedPlugin {
  readonly id: number
  readonly release: Release
  readonly grants: Grants
}

/** Adds what a plugin provides beside its routes; what it registers lives for as long as the plugin runs on this host. */
export type Contributor = (scope: Pick<Scope, 'register'>, plugin: LoadedPlugin) => void

/** What runs of plugins on this host; answered from memory but for `prepare`. */
export interface PluginRuntime {
  /** What runs here of a plugin. */
  find(name: string): LoadedPlugin | undefined
  /** What runs here. */
  loaded(): readonly LoadedPlugin[]
  /** A release that is kept beside the one that runs, for pages that were opened before a switch. */
  findKept(running: LoadedPlugin, treeHash: string): Promise<LoadedPlugin | undefined>
  /** The active release of a plugin with what it was granted, whether it runs or not. */
  prepare(plugin: InstalledPlugin): Promise<LoadedPlugin>
  /** Whether a plugin may be called for a tenant. */
  readonly gate: Gate
  /** The capabilities that a plugin does not have for a tenant (0 = the platform), whatever it was loaded with. */
  deniedFor(name: string, tenantId: number): ReadonlySet<Capability>
  /** Whether a plugin runs for somebody's tenant (the platform's staff: at all), and has an entry in the console that they may open. */
  hasEntryFor(name: string, principal: Principal): boolean
  /** The tenants that a plugin is assigned to. */
  tenantsOf(name: string): readonly number[]
  /** Grows when what is wanted of plugins was read anew. */
  readonly revision: number
  /** The platform's bounds for a plugin, over those of its grants. */
  limits(name: string): ReturnType<SandboxServices['limits']>
  /** What plugins cost on this host. */
  readonly metering: Sandbox['metering']
  readonly call: Sandbox['call']
  readonly deliver: Sandbox['deliver']
  readonly answer: Sandbox['answer']
  /** Whether a plugin failed so often that it is not asked now. */
  readonly isPaused: Sandbox['isPaused']
  /** Adds what plugins provide to each that runs or will run here, until the result is disposed. */
  contribute(contributor: Contributor): Disposable
  /** Takes the events that plugins publish, until the result is disposed; while nobody does, they are refused with 503/5030. */
  takeEvents(publish: SandboxServices['publish']): Disposable
  /** Does the jobs of plugins until the result is disposed; while nobody does, they are refused with 503/5030. */
  takeJobs(jobs: GuestJobs): Disposable
}

/** A plugin of which nothing shall be left; of an orphan only the name is known. */
interface RemovedPlugin {
  readonly id: number | null
  readonly name: string
  readonly manifest: PluginManifest | undefined
}

/** Rows that another core plugin keeps of plugins. */
export interface PluginRows {
  /** The step of a removal that deletes them. */
  readonly step: 'schedules' | 'events' | 'licences'
  /** What would go with a plugin; nothing is done. */
  describe(plugin: RemovedPlugin & { readonly id: number }): Promise<object>
  /** Deletes them with the transaction, and tells what went; safe to repeat. */
  remove(trx: Knex.Transaction, plugin: RemovedPlugin): Promise<object>
  /** Deletes those of a tenant that is gone, and for which nothing runs any more. */
  eraseTenant(tenantId: number): Promise<void>
  /** Lets what waited for a plugin to be licensed be tried at once; with the transaction that licenses it. */
  hurry?(trx: Knex.Transaction, pluginId: number): Promise<void>
  /** How many wait to be worked on, by any host; absent where nothing does. */
  readonly waiting?: { readonly kind: string; count(): Promise<number> }
}

/** Who keeps rows of plugins says so here. */
export interface PluginRowKeepers {
  /** They go with plugins and tenants until the result is disposed. */
  register(rows: PluginRows): Disposable
}

/** The plugins that are installed. */
export const pluginDirectory = defineService<PluginDirectory>('plugins.directory')
/** What runs of plugins on this host. */
export const pluginRuntime = defineService<PluginRuntime>('plugins.runtime')
/** Who keeps rows of plugins says so here. */
export const pluginRowKeepers = defineService<PluginRowKeepers>('plugins.row_keepers')
