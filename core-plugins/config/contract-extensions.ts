import type { Knex } from 'knex'
import { defineService, type Localised, type Principal } from '#kernel'

/** What a group would be after a write; asked before anything is written. */
export interface ConfigProposal {
  /** 0 is the platform, which in a tenants' group sets the defaults. */
  readonly tenantId: number
  readonly group: string
  /** Keys whose value would change. */
  readonly keys: readonly string[]
  /** Every effective value of the group as it would be, secrets in plain text. */
  readonly values: Readonly<Record<string, unknown>>
  /** Where the writer is; undefined for what no request asked for. */
  readonly ip?: string | undefined
}

/** What speaks against a proposal; it stands in the list of faults with all others. */
export interface ConfigObjection {
  readonly key: string
  /** A slug, such as `sms_driver`. */
  readonly rule: string
  readonly message: Localised
  readonly params?: Readonly<Record<string, string | number>>
}

/** A rule that no single value shows: values that belong together, or that depend on something outside the configuration. */
export interface ConfigCheck {
  /** Codes of the groups it is asked about. */
  readonly groups: readonly string[]
  /** Asked outside the write's transaction, with the values that are valid by themselves. */
  check(proposal: ConfigProposal): readonly ConfigObjection[] | Promise<readonly ConfigObjection[]>
}

/** A change that is about to hold. */
export interface GuardedChange {
  /** 0 is the platform. */
  readonly tenantId: number
  readonly group: string
  /** Keys whose value changes. */
  readonly keys: readonly string[]
  /** Who makes it, or approves what somebody asked for; null is the platform itself. */
  readonly actor: Principal | null
  /** Every effective value of the group before the change, secrets in plain text. */
  readonly before: Readonly<Record<string, unknown>>
}

/** Keys whose change needs more than the right to write configuration, whichever way it comes. */
export interface ConfigGuard {
  readonly keys: readonly string[]
  /** Asked in the transaction of every write that changes one of them: what it throws refuses the write, what it stores stands with it. */
  pass(change: GuardedChange, trx: Knex.Transaction): Promise<void>
}

/** What must happen after values changed; tried again, also on another host, until it does not throw. */
export interface ConfigEffect {
  /** Stands in queued jobs, so it must not change between releases: `storage.reset_pool`. */
  readonly name: string
  /** It follows a change of any of these. */
  readonly keys: readonly string[]
  /** May be called more than once for one change. */
  run(change: { readonly tenantId: number; readonly group: string; readonly keys: readonly string[] }): Promise<void>
}

/** A tenant beside an id. */
export interface NamedConfigTenant {
  readonly id: number
  readonly code: string
  readonly name: string
}

/** Some tenants by id; those that are gone are absent. */
export type ConfigTenantNames = (ids: readonly number[]) => Promise<ReadonlyMap<number, NamedConfigTenant>>

/** An option of an item that declares dynamic options. */
export interface ConfigOption {
  readonly label: Localised
  readonly value: string | number
  readonly disabled?: boolean
}

/** Options that are known only while the platform runs. */
export interface ConfigOptions {
  /**
   * Lists the options of a key, in every scope, until the result is disposed; asked each time its group is shown. Whether what
   * is chosen must be one of them is for a check of the same plugin to say.
   */
  register(key: string, list: (tenantId: number) => Promise<readonly ConfigOption[]>): Disposable
}

/** What says where a secret member goes, out of the group's values; when it changes, the secret must be given again. */
export type BondOf = (member: string, values: Readonly<Record<string, unknown>>) => unknown

/** Members of JSON items that are secrets. */
export interface ConfigSecretMembers {
  /**
   * From now on these members of the key's JSON object are sealed, masked and kept when the mask comes back, as passwords are:
   * as long as what they are bound to stays the same.
   */
  register(key: string, isSecret: (member: string) => boolean, bondOf?: BondOf): Disposable
}

/** Read-only values of tenants that follow from something else, such as the tenant's own row. */
export interface ConfigComputedValues {
  /** From now on, until the result is disposed, this is the value of the key for a tenant; undefined leaves what is stored. */
  register(key: string, valueOf: (tenantId: number) => Promise<unknown>): Disposable
}

/** Options that are known only while the platform runs. */
export const configOptions = defineService<ConfigOptions>('config.options')
/** Members of JSON items that are secrets. */
export const configSecretMembers = defineService<ConfigSecretMembers>('config.secret_members')
/** Read-only values of tenants that follow from something else, such as the tenant's own row. */
export const configComputedValues = defineService<ConfigComputedValues>('config.computed_values')
