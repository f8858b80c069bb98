import type { AskedRight, UsedService } from '../../../plugins/wire.ts'

/** A right that a plugin has, and whether the tenant refuses it. */
export type TenantRight = AskedRight & { readonly denied: boolean }

/** A plugin of the tenant, with what it may do. */
export interface TenantPluginDetail {
  readonly name: string
  readonly version: string
  readonly title: string
  readonly description: string
  readonly publisher: string
  readonly license: string
  readonly homepage: string | null
  readonly icon: string | null
  readonly enabled: boolean
  readonly running: boolean
  /** Those of its groups of settings that are the tenant's. */
  readonly config_groups: readonly string[]
  readonly rights: readonly TenantRight[]
  readonly uses: readonly UsedService[]
  readonly slots: readonly { readonly slot: string; readonly id: string }[]
  readonly licensing?: { readonly type: string; readonly state: string; readonly expires_at: string | null }
}
