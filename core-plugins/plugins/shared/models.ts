import { PlatformModel, TenantModel, type Said } from '#kernel'
import type { MenuEntryChoice, PluginManifest, TrustLevel } from '#sandbox'
import type { OperationKind, operationStates } from './operation-kinds.ts'

/** The resting states of a plugin; what is in motion stands in its operations. */
export type PluginStatus = 'installed' | 'enabled' | 'awaiting_consent' | 'quarantined' | 'broken' | 'orphaned'

/** A picture that an administrator chose: a file of the platform, or without one where such pictures lay before. */
export interface ChosenIcon {
  readonly sha256: string
  readonly content_type: string
  readonly attachment?: string
}

/** An installed plugin and what is wanted of it. */
export class PluginRow extends PlatformModel {
  static override tableName = 'plugins'
  static override jsonAttributes = ['menuConfig', 'icon', 'withheld', 'reasonSaid']
  declare id: number
  declare name: string
  declare scope: 'platform' | 'tenant'
  declare status: PluginStatus
  declare reason: string | null
  /** What the reason is told from; null where it stays as it was written. */
  declare reasonSaid: Said | null
  declare removing: boolean
  declare activeRelease: number
  declare previousRelease: number | null
  declare pendingRelease: number | null
  declare epoch: number
  /** Why its routes answer 503 for the moment; null while they are open. */
  declare gate: 'upgrading' | null
  declare generation: string
  /** The index source it belongs to; null for an upload. */
  declare source: string | null
  declare pinned: boolean
  declare menuConfig: Readonly<Record<string, MenuEntryChoice>>
  /** An administrator's picture, in place of the package's. */
  declare icon: ChosenIcon | null
  /** Capabilities that an administrator took back. */
  declare withheld: readonly string[]
  /** Until when the release that is active may be rolled back without being asked. */
  declare watchedUntil: Date | null
  declare createdAt: Date
  declare updatedAt: Date
}

/** One version of a plugin, immutable; its zip lies in chunks beside it. */
export class ReleaseRow extends PlatformModel {
  static override tableName = 'plugin_releases'
  static override jsonAttributes = ['manifest', 'files', 'signature', 'publisherSignature']
  declare id: number
  declare name: string
  declare version: string
  declare treeHash: string
  declare sha256: string
  declare size: number
  declare manifest: PluginManifest
  declare files: Readonly<Record<string, string>>
  declare trust: TrustLevel
  /** This site's own. */
  declare signature: unknown
  declare source: string | null
  /** The publisher's key, where the package was signed. */
  declare kid: string | null
  declare publisherSignature: unknown
  declare createdAt: Date
}

/** One thing an administrator granted a release. */
export class GrantRow extends PlatformModel {
  static override tableName = 'plugin_grants'
  static override idColumn = ['plugin_id', 'release_hash', 'capability']
  static override jsonAttributes = ['detail']
  declare pluginId: number
  declare releaseHash: string
  declare capability: string
  declare detailHash: string
  declare detail: unknown
  declare optional: boolean
  declare grantedBy: number | null
  declare at: Date
}

/** Whether a tenant may use a plugin, and does. */
export class AssignmentRow extends TenantModel {
  static override tableName = 'plugin_tenants'
  static override idColumn = ['plugin_id', 'tenant_id']
  static override jsonAttributes = ['capabilitiesDenied']
  declare pluginId: number
  declare assigned: boolean
  declare enabledByTenant: boolean
  declare capabilitiesDenied: readonly string[]
  declare licenseState: string
  declare createdAt: Date
  declare updatedAt: Date
}

/** What an operation did in one step. */
export interface StepRecord {
  readonly step: string
  readonly at: string
  readonly result?: unknown
}

/** Something done to a plugin, step by step. */
export class OperationRow extends PlatformModel {
  static override tableName = 'plugin_operations'
  static override jsonAttributes = ['steps', 'options', 'error', 'plan', 'progress']
  declare id: string
  declare plugin: string
  declare pluginId: number | null
  declare kind: OperationKind
  declare state: (typeof operationStates)[number]
  declare fromRelease: string | null
  declare toRelease: string | null
  declare step: string | null
  declare steps: readonly StepRecord[]
  declare committed: boolean
  /** The steps that it will take, as far as they are known; null until one was begun of a kind that has more than one list. */
  declare plan: readonly string[] | null
  /** How much is done of the step that runs, in bytes; null where it is not measured. */
  declare progress: { readonly done: number; readonly total: number } | null
  declare options: Readonly<Record<string, unknown>>
  declare actor: number | null
  declare error: object | null
  /** Of the request that it began with; null where there was none. */
  declare traceId: string | null
  declare fencing: string
  /** The lock it runs under while its package comes, which is not the plugin's; null from then on. */
  declare place: string | null
  declare startedAt: Date
  declare finishedAt: Date | null
}

/** How a new release is doing, on all hosts together. */
export class WatchRow extends PlatformModel {
  static override tableName = 'plugin_watches'
  static override idColumn = 'plugin_id'
  static override jsonAttributes = ['reasonSaid']
  declare pluginId: number
  declare operationId: string
  declare fromRelease: number
  declare toRelease: number
  declare until: Date
  declare calls: number
  declare errors: number
  declare kills: number
  declare reason: string | null
  /** What the reason is told from; null where it stays as it was written. */
  declare reasonSaid: Said | null
  declare createdAt: Date
}
