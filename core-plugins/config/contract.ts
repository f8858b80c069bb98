import type { Knex } from 'knex'
import { defineEvent, defineService, type ConfigType, type Manifest, type Principal } from '#kernel'
import type { ConfigCheck, ConfigEffect, ConfigGuard, ConfigTenantNames } from './contract-extensions.ts'

export {
  type ConfigProposal,
  type ConfigObjection,
  type ConfigCheck,
  type ConfigGuard,
  type ConfigEffect,
  type ConfigOption,
  type BondOf,
  configOptions,
  configSecretMembers,
  configComputedValues,
} from './contract-extensions.ts'
export { type ConfigFileKeeper, configFiles } from './contract-files.ts'
export { configPublicMembers } from './contract-public.ts'

/** Who may hold values of an item: the platform alone, or every tenant with the platform's as default. */
export type ConfigScope = 'ADMIN_ONLY' | 'ALL_TENANTS'

/** Where an effective value comes from. */
type ConfigSource = 'tenant' | 'platform' | 'code' | 'caller'

/** An effective value with its origin. */
export interface EffectiveValue {
  readonly value: unknown
  readonly source: ConfigSource
}

/**
 * Reads effective values: tenant value, platform default, code default, the caller's default, in that order.
 * A key that exists in both scopes means the tenant's item when a tenant is named and the platform's otherwise.
 */
export interface ConfigReader {
  /** The effective value, secrets in plain text; absent tenant or 0 is the platform. Throws 5009 for an unknown key without a default. */
  get<T>(key: string, tenantId?: number, otherwise?: T): Promise<T>
  /** The effective value and where it comes from, or undefined for a key nobody declares. */
  item(key: string, tenantId?: number): Promise<EffectiveValue | undefined>
}

/** An item of a group as the wire shows it, secrets masked and texts in the language asked for. */
export interface ConfigItem {
  readonly key: string
  readonly name: string
  readonly description: string
  readonly type: ConfigType
  readonly scope: ConfigScope
  readonly group: string
  readonly value: unknown
  readonly default: unknown
  readonly source: ConfigSource
  readonly is_set: boolean
  readonly required: boolean
  readonly readonly: boolean
  readonly public: boolean
  readonly sensitive: boolean
  readonly encrypted: boolean
  readonly sort: number
  readonly rules: Readonly<Record<string, number | string | null>>
  readonly options: readonly { readonly label: string; readonly value: string | number; readonly disabled: boolean }[]
  readonly dynamic_options: boolean
  readonly options_source: string | null
  readonly ui: Readonly<Record<string, unknown>>
  readonly updated_at: string | null
  readonly updated_by: number | null
  /** What this user is called; null where they are gone, or of the platform for a tenant. */
  readonly updated_by_name?: string | null
}

/** A group as the wire shows it, with the groups below it. */
export interface ConfigGroup {
  readonly code: string
  readonly name: string
  readonly description: string
  readonly icon: string | null
  readonly parent_code: string | null
  readonly sort: number
  readonly scope: ConfigScope
  readonly item_count: number
  readonly readonly: boolean
  readonly children: readonly ConfigGroup[]
}

/** A group with its items' current values. */
export interface GroupDetail {
  readonly group: ConfigGroup
  readonly items: readonly ConfigItem[]
  readonly etag: string
  /** What was found in values that belong together, where the group has such a check: of platform_ssl the certificate's facts. */
  readonly validation?: Readonly<Record<string, unknown>>
}

/** What a write did, with the group as it is now. */
export interface WriteResult {
  readonly group: string
  readonly updated: readonly string[]
  readonly unchanged: readonly string[]
  readonly reset: readonly string[]
  /** Keys that wait for an approval. */
  readonly pending: readonly string[]
  readonly items: readonly ConfigItem[]
  readonly etag: string
}

/** How texts and keys of a group are shown. */
export interface GroupView {
  readonly locale?: string
  /** Cut from the front of every key that is shown and put before every key that is given; a plugin's short keys. */
  readonly keyPrefix?: string
}

/** What a write needs beside its values. */
export interface WriteOptions extends GroupView {
  readonly actor: Principal | null
  /** Keys whose own value is dropped, so that the default holds again. */
  readonly reset?: readonly string[]
  /** Takes null for a reset, except of a required item, which it leaves empty. */
  readonly nullResets?: boolean
  readonly traceId?: string
  /** The writer's address. */
  readonly ip?: string
  /** Throws when the group is not the version the writer has seen; asked under the write's lock. */
  readonly requireMatch?: (etag: string) => void
  /** Lets the owner of items that are read-only in groups write them. */
  readonly includesReadonly?: boolean
}

/** A value as it is stored: JSON text, sealed with the platform's key ring where it is a secret. */
export interface ExportedValue {
  readonly tenantId: number
  readonly key: string
  readonly value: string
}

/** Says of a group whether it is there for a tenant. */
export type GroupVisibility = (groupCode: string, tenantId: number) => boolean

/** Whose groups they are, and which; as in a plugin's manifest. */
export type DeclaredGroups = Pick<Manifest, 'name' | 'config'>

/** Reads and changes whole groups; tenant 0 is the platform, and in a tenant's group its values are the defaults. */
export interface ConfigWriter {
  /**
   * Checks everything first (one 422/4222 with all faults, 400/4003 for unknown keys), then writes in one transaction.
   * A tenant's write is a submission to the workflow.
   */
  write(
    groupCode: string,
    tenantId: number,
    values: Readonly<Record<string, unknown>>,
    options: WriteOptions,
  ): Promise<WriteResult>
  /** The group with its items; 404/4049 when it is not there for the tenant. */
  describe(groupCode: string, tenantId: number, view?: GroupView): Promise<GroupDetail>
  /** Key → effective value of a group, secrets in plain text; empty while nobody declares the group. */
  effectiveOf(groupCode: string, tenantId: number, view?: GroupView): Promise<Readonly<Record<string, unknown>>>
  /** What every tenant has set in a group, secrets still sealed; for a backup. */
  exportGroup(groupCode: string, trx: Knex.Transaction): Promise<readonly ExportedValue[]>
  /**
   * Makes a group's values those that were exported, of items that it still has; every other value of it goes. Answers what tells
   * everybody, to be called once the transaction holds; a host that dies before is made up for. A group with guarded keys is refused.
   */
  importGroup(groupCode: string, values: readonly ExportedValue[], trx: Knex.Transaction): Promise<() => Promise<void>>
  /** Deletes a group, its items and every tenant's values; for an uninstall. Answers how many values went. */
  removeGroup(groupCode: string, trx: Knex.Transaction): Promise<number>
  /** Deletes every value of a tenant; for the end of one. Answers how many values went. */
  removeTenant(tenantId: number, trx: Knex.Transaction): Promise<number>
  /** Hides groups from tenants: a group is there for a tenant while every rule says so. */
  hideUnless(visible: GroupVisibility): Disposable
  /**
   * Keeps the groups of plugins that are not enabled known: those of these plugins and of no other. While a plugin is enabled
   * its manifest counts. Which tenants see them is what `hideUnless` says.
   */
  keepDeclared(plugins: readonly DeclaredGroups[]): Promise<void>
}

/** A tenant's write. */
export interface TenantConfigSubmission {
  readonly groupCode: string
  readonly tenantId: number
  readonly values: Readonly<Record<string, unknown>>
  readonly options: WriteOptions
}

/** The one way of every write to a tenant's configuration. */
export interface TenantConfigWorkflow {
  /**
   * Checks (422/4222), compares with what holds, and applies or, where the platform wants to approve the change of a tenant's
   * user, keeps it as a request; 409/4093 when a request for one of the keys is open. The platform itself waits for nobody.
   */
  submit(submission: TenantConfigSubmission): Promise<WriteResult>
  /** Asks a check before every write, the platform's too, until the result is disposed. */
  register(check: ConfigCheck): Disposable
  /** Runs an effect after every write, the platform's too, until the result is disposed. */
  registerEffect(effect: ConfigEffect): Disposable
  /** Asks a guard in every write of its keys, the platform's too, until the result is disposed. */
  registerGuard(guard: ConfigGuard): Disposable
  /** Shows tenants beside the ids of those whose changes wait, until the result is disposed. */
  nameTenants(source: ConfigTenantNames): Disposable
}

/** Reads effective configuration values. */
export const configReader = defineService<ConfigReader>('config.reader')
/** Reads and changes configuration groups. */
export const configWriter = defineService<ConfigWriter>('config.writer')
/** The one way of every write to a tenant's configuration. */
export const tenantConfigWorkflow = defineService<TenantConfigWorkflow>('config.tenant_workflow')

/** Values of a group changed, for one tenant or, with tenant 0, the platform's own or every tenant's default. */
export const configChanged = defineEvent<{
  readonly scope: ConfigScope
  readonly group: string
  readonly keys: readonly string[]
  readonly tenantId: number
}>('config.changed')

/** The kind of noted changes that every write of values is, by tenant; on every host within a second, whatever was lost. */
export const valuesChanged = 'config.values'

/** A tenant asked for a change that waits for the platform. */
export const configChangeRequested = defineEvent<{
  readonly tenantId: number
  readonly requestId: number
  readonly group: string
  readonly keys: readonly string[]
}>('config.change_requested')

/** The platform decided on a tenant's request. */
export const configChangeDecided = defineEvent<{
  readonly tenantId: number
  readonly requestId: number
  readonly state: 'approved' | 'rejected'
}>('config.change_decided')
