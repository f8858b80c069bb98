import type { AskedRight, UsedService } from '../../../plugins/wire.ts'

/** A right that a plugin has, and whether the tenant refuses it. */
export type TenantRight = AskedRight & { readonly denied: boolean }

/** A plugin of the tenant as lists show one. */
export interface TenantPluginRow {
  readonly name: string
  readonly version: string
  readonly title: string
  readonly description: string
  readonly publisher: string
  readonly icon: string | null
  readonly enabled: boolean
  readonly running: boolean
  /** What it was granted and the tenant allows. */
  readonly capabilities?: readonly string[]
  readonly licensing?: { readonly type: string; readonly state: string; readonly expires_at: string | null }
}

/** The same with all there is to know. */
export interface TenantPluginDetail extends TenantPluginRow {
  readonly license: string
  readonly homepage: string | null
  /** Those of its groups of settings that are the tenant's. */
  readonly config_groups: readonly string[]
  readonly rights: readonly TenantRight[]
  readonly uses: readonly UsedService[]
  readonly slots: readonly { readonly slot: string; readonly id: string }[]
}
