/** How far a right reaches. */
export type Risk = 'harmless' | 'outside' | 'far'

/** What a right covers: hosts, tables, events, paths, bounds. */
export type RightDetail = Readonly<Record<string, unknown>>

/** A right that a package asks for. */
export interface AskedRight {
  readonly capability: string
  readonly optional: boolean
  readonly reason: string | null
  readonly detail: RightDetail
  readonly risk: Risk
}

/** The same in a consent, with what was granted of it before. */
export interface ConsentRight extends AskedRight {
  readonly before: RightDetail | null
}

/** A right in its smallest part, with the one that it belongs to. */
export interface RightPart {
  readonly kind: string
  readonly detail: string
  readonly capability: string
}

/** What is to be allowed, of which package. */
export interface Consent {
  readonly release_hash: string
  readonly diff_hash: string
  readonly wider: readonly ConsentRight[]
  readonly unchanged: readonly ConsentRight[]
  readonly added: readonly RightPart[]
  readonly removed: readonly (RightPart & { readonly before: RightDetail | null })[]
}

/** An installed plugin as lists show one. */
export interface PluginRow {
  readonly id: number
  readonly name: string
  readonly version: string
  readonly title: string
  readonly description: string
  readonly publisher: string
  readonly scope: 'platform' | 'tenant'
  readonly status: string
  readonly reason: string | null
  readonly trust: string
  readonly source: string | null
  readonly icon: string | null
  readonly update_available: string | { readonly version?: string } | null
  readonly capabilities: readonly string[]
  readonly updated_at: string
  /** How many tenants may use it, and have it enabled; of none of the platform. */
  readonly tenant_counts?: { readonly assigned: number; readonly enabled: number } | null
}

/** The same with all there is to know. */
export interface PluginDetail extends PluginRow {
  readonly release_hash: string
  readonly granted: readonly string[]
  readonly permissions: readonly { readonly code: string; readonly title: string }[]
  readonly routes: readonly string[]
  readonly tenants: readonly {
    readonly tenant_id: number
    readonly tenant?: { readonly name: string } | null
    readonly enabled: boolean
    readonly capabilities_denied: readonly string[]
  }[]
  readonly pinned?: boolean
  readonly config_groups?: readonly string[]
  readonly uses?: readonly UsedService[]
  readonly used_by?: readonly string[]
  /** Those of them that would lose a service they have if it stopped. */
  readonly leaves_without?: readonly string[]
  /** Plugins it requires, with the version that is installed. */
  readonly dependencies: readonly { readonly name: string; readonly range: string; readonly version: string | null }[]
  /** Those that require it. */
  readonly dependants: readonly string[]
  readonly last_operation: Operation | null
  /** What runs, the last to begin first. */
  readonly running_operations: readonly Operation[]
  readonly consent?: Consent | null
  /** What waits to be allowed in place of the release that runs. */
  readonly pending: (OtherRelease & { readonly consent?: Consent }) | null
  /** The release before, which it can go back to. */
  readonly previous: OtherRelease | null
  /** How the release that an upgrade led to does, for a minute. */
  readonly watch: UpgradeWatch | null
  /** Those that are kept, the newest first. */
  readonly releases: readonly KeptRelease[]
  readonly menu: readonly PluginMenuEntry[]
  readonly license: string
}

/** What was counted of a release since it came. */
export interface UpgradeWatch {
  /** The version before. */
  readonly from: string
  readonly until: string
  readonly calls: number
  readonly errors: number
  readonly kills: number
}

/** A release that is kept, with what it is to the plugin. */
interface KeptRelease extends OtherRelease {
  readonly release_hash: string
  readonly state: 'active' | 'pending' | 'previous' | 'kept'
  readonly trust: string
  readonly source: string | null
  readonly size: number
  readonly stored_at: string
}

/** A menu entry of a plugin as it is shown, with what was chosen otherwise than in its package. */
export interface PluginMenuEntry {
  readonly id: string
  readonly area: string
  readonly title: string
  readonly order: number | null
  readonly hidden: boolean
  readonly overrides: {
    readonly title?: Readonly<Record<string, string>>
    readonly order?: number
    readonly hidden?: boolean
  }
}

/** Another release of a plugin, and who would be left without a service of it. */
export interface OtherRelease {
  readonly version: string
  readonly leaves_without: readonly string[]
}

/** What an upgrade would do. */
export interface UpgradePlan {
  readonly to: string
  readonly consent: Consent | null
  readonly leaves_without: readonly string[]
}

/** A long piece of work on a plugin. */
export interface Operation {
  readonly id: string
  readonly plugin: string
  readonly kind: string
  readonly state: string
  readonly step: string | null
  readonly steps: readonly { readonly step: string; readonly at: string }[]
  readonly error: { readonly code: number; readonly reason: string; readonly message: string } | null
  /** Of the request that it began with. */
  readonly trace_id: string | null
  /** The steps there will be, and the one after which it is finished and not undone. */
  readonly plan: readonly string[]
  readonly commit_step: string | null
  readonly committed: boolean
  /** Whether it can be called off now. */
  readonly cancellable: boolean
  /** Bytes of the step that runs, where they are counted. */
  readonly progress: { readonly done: number; readonly total: number } | null
  readonly actor: { readonly id: number; readonly name: string | null } | null
  readonly started_at: string
  readonly finished_at: string | null
}

/** A service of another plugin that a plugin uses. */
export interface UsedService {
  readonly service: string
  readonly range: string
  readonly version: string | null
  readonly state: string
}

/** What an uninstall would do, and who still needs the plugin. */
export interface RemovalPlan {
  readonly is_blocked: boolean
  readonly blocked_by: readonly string[]
  readonly leaves_without?: readonly string[]
  readonly steps: readonly { readonly step: string; readonly affects: Readonly<Record<string, unknown>> }[]
}

/** A plugin of an index. */
export interface Offer {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly publisher: string
  readonly latest: string
  readonly trust: string
  readonly source: string
  readonly has_icon: boolean
  readonly capabilities: readonly string[]
  readonly compatible: boolean
  readonly trusted: boolean
  readonly update_available: boolean
  readonly also_in: readonly string[]
  readonly rating: { readonly average: number; readonly count: number } | null
  readonly revoked: { readonly severity: string; readonly reason: string } | null
  readonly updated: string
  readonly installed: { readonly version: string } | null
}
