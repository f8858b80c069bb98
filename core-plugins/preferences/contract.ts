import { defineEvent, defineService, type Localised, type Principal, type Schema } from '#kernel'
import type { Knex } from 'knex'

/** A preference that may be set. */
export interface PreferenceDeclaration {
  /** `theme`, or of a third-party plugin `plugin.<name>.<key>`. */
  readonly key: string
  readonly name: Localised
  /** What a value must be. */
  readonly schema: Schema
  /** Longest value, as bytes of JSON; 4,096 unless said otherwise. */
  readonly mostBytes?: number
  /** The system's value. */
  readonly default: unknown
}

/** A preference as it is stored; user 0 is everybody of the tenant, tenant 0 the platform. */
export interface ExportedPreference {
  readonly scope: string
  readonly tenantId: number
  readonly userId: number
  readonly key: string
  readonly value: unknown
}

/** The preferences there are. */
export interface PreferenceCatalogue {
  /** Adds preferences until the result is disposed; a key that is there already throws. What was stored stays. */
  register(declarations: readonly PreferenceDeclaration[]): Disposable
  /** All that was stored of a third-party plugin's preferences, of everybody; for a backup. */
  exportPlugin(plugin: string, trx: Knex.Transaction): Promise<readonly ExportedPreference[]>
  /** Makes what is stored of a third-party plugin's preferences what was exported, and nothing else. */
  importPlugin(plugin: string, values: readonly ExportedPreference[], trx: Knex.Transaction): Promise<void>
  /** Deletes all that was stored of a third-party plugin's preferences; answers how many values there were. */
  removePlugin(plugin: string, trx: Knex.Transaction): Promise<number>
}

/** What users prefer. */
export interface Preferences {
  /** Changes whenever an effective preference of the caller may have changed. */
  versionOf(principal: Pick<Principal, 'tenantId' | 'userId'>): Promise<string>
  /** The effective value of one preference: personal, otherwise global, otherwise the system's. */
  get<T>(key: string, principal: Pick<Principal, 'tenantId' | 'userId'>): Promise<T>
  /** The effective values of several, in one reading. */
  getMany<V extends object>(
    keys: readonly (keyof V & string)[],
    principal: Pick<Principal, 'tenantId' | 'userId'>,
  ): Promise<V>
}

/** The preferences there are. */
export const preferenceCatalogue = defineService<PreferenceCatalogue>('preferences.catalogue')
/** What users prefer. */
export const preferences = defineService<Preferences>('preferences.reader')

/** Global preferences of the platform (0) or a tenant changed, and personal overrides of these keys are gone. */
export const preferencesGlobalChanged = defineEvent<{ readonly tenantId: number; readonly keys: readonly string[] }>(
  'preferences.global_changed',
)
