import { TenantModel } from '#kernel'

/** Whose value it is: what everybody of the platform or of a tenant begins with, or one user's own. */
export type PreferenceScope = 'platform_global' | 'tenant_global' | 'admin' | 'tenant_admin'

/** One stored preference. */
export class PreferenceRow extends TenantModel {
  static override tableName = 'preferences'
  static override idColumn = ['scope', 'tenant_id', 'user_id', 'key']

  declare scope: PreferenceScope
  /** 0 where the value is everybody's. */
  declare userId: number
  declare key: string
  /** Any JSON value; written as JSON text, because objection would take a text that looks like JSON for JSON. */
  declare value: unknown
  declare updatedAt: Date
  declare updatedBy: number
}
