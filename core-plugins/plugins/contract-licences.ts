import { defineService, type AppError, type Principal } from '#kernel'
import type { SigningKey } from '#marketplace'
import type { GateUse, GuestLicense, PluginManifest } from '#sandbox'
import type { Knex } from 'knex'
import type { LicenceAuthority } from './contract-packages.ts'

/** How a plugin is licensed for somebody at a moment. */
export interface LicenceStanding extends GuestLicense {
  /** RFC 3339; null where the grace does not end, or there is none. */
  readonly graceUntil: string | null
}

/** The licences of one plugin, as every call asks them. Tenant 0 is the platform; times are milliseconds since 1970. */
export interface LicenceBook {
  /** A free plugin is used without a licence, which may still open features of it. */
  readonly isCommercial: boolean
  /** How the plugin is licensed for a tenant. */
  of(tenantId: number, now: number): LicenceStanding
  /** Whether licences let a tenant use the plugin for this. */
  allows(tenantId: number, use: GateUse, now: number): boolean
}

/** A plugin whose licences are asked for. */
export interface LicensedPlugin {
  readonly id: number
  readonly scope: 'platform' | 'tenant'
  readonly isCommercial: boolean
}

/** An installed plugin, as whoever licenses it needs it. */
export interface LicensablePlugin extends LicensedPlugin {
  readonly name: string
  /** That of the active release. */
  readonly manifest: PluginManifest
  /** The tenants that it is assigned to. */
  readonly assigned: readonly number[]
}

/** What is wanted of an installed plugin, for whoever watches its licences. */
export interface WatchedPlugin {
  readonly id: number
  readonly name: string
  readonly scope: 'platform' | 'tenant'
  readonly removing: boolean
  /** Grows with every change of the plugin. */
  readonly generation: string
  readonly licences: Pick<LicenceBook, 'isCommercial'>
  /** The tenants that it is assigned to. */
  readonly tenants: ReadonlyMap<number, unknown>
}

/** Changes licences in a transaction that holds the plugin's row; answers what the log of administrators says of it. */
export type LicenceWork = (trx: Knex.Transaction) => Promise<{ readonly action: string; readonly after: object }>

/** For whom a licence is to be used. */
export interface LicenceToken {
  readonly token: string
  /** Whom the token names, unless said otherwise. */
  readonly tenantIds?: readonly number[]
}

/** Keeps the licences of plugins. Its verbs judge first; what they answer is done under the plugin's lock. */
export interface LicenceKeeper {
  /** Milliseconds since 1970; never goes back by much. */
  now(): number
  /** The licences of these plugins as they stand in the database, by plugin id. */
  read(plugins: readonly LicensedPlugin[]): Promise<ReadonlyMap<number, LicenceBook>>
  /** Begins to use a licence; the same token again adds tenants to it. */
  activate(plugin: LicensablePlugin, given: LicenceToken, actor: Principal): Promise<LicenceWork>
  /** Begins the trial that the plugin offers: for one tenant, or every one it is assigned to that had none. */
  beginTrial(plugin: LicensablePlugin, tenantId: number | undefined, actor: Principal): Promise<LicenceWork>
  /** Revokes the plugin's licences, or what they are for one tenant. */
  revoke(plugin: LicensablePlugin, tenantId: number | undefined): LicenceWork
}

/** What whoever keeps the licences of plugins asks and tells. */
export interface PluginLicences {
  /** The licences that plugins are judged by until the result is disposed; while nobody keeps any, a plugin that needs one is not licensed. */
  register(keeper: LicenceKeeper): Disposable
  /** By its id or its name; throws 404/4046 when it is not installed. */
  find(idOrName: string): Promise<LicensablePlugin>
  /** The name of an installed plugin; undefined for one that is gone. */
  nameOf(pluginId: number): Promise<string | undefined>
  /** What this host knows is wanted, by name: another map whenever anything changed. */
  watched(): ReadonlyMap<string, WatchedPlugin>
  /**
   * Changes the licences of a plugin outside of an operation, in a transaction that holds its row; where `change` answers true, resolves when
   * every living host knows. Does nothing for one that is gone or being removed.
   */
  update(pluginId: number, change: (trx: Knex.Transaction, name: string) => Promise<boolean>): Promise<void>
  /** Whether a plugin is installed; it stays so until the transaction ends. */
  isInstalled(trx: Knex.Transaction, pluginId: number): Promise<boolean>
  /** Keeps with its assignments how a plugin is licensed for tenants. */
  note(trx: Knex.Transaction, pluginId: number, tenantIds: readonly number[], state: string): Promise<void>
  /** Tells whoever listens how a plugin is licensed for a tenant (0 = the platform) from now on. */
  announce(change: { readonly plugin: string; readonly tenantId: number; readonly state: string }): Promise<void>
  /** 400/4002: tenants were named for a plugin of the platform. */
  notAssignable(): AppError
  /** Signs trials; its public half names this site to publishers. */
  readonly siteKey: SigningKey
  /** What is known of licences beside the platform. */
  readonly authority: LicenceAuthority
  /** Is told that it changed, until the result is disposed. */
  onAuthority(listener: () => Promise<void>): Disposable
}

/** What whoever keeps the licences of plugins asks and tells. */
export const pluginLicences = defineService<PluginLicences>('plugins.licences')
