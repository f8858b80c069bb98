import { PlatformModel, TenantModel } from '#kernel'

/** A licence that was activated here, or a trial that began here. */
export class LicenceRow extends PlatformModel {
  static override tableName = 'plugin_licences'
  static override jsonAttributes = ['features']
  declare id: number
  declare pluginId: number
  declare jti: string
  declare kid: string
  declare kind: 'lic' | 'trial'
  declare token: string
  /** Every tenant, those that it lists, or as many as it has seats. */
  declare reach: 'all' | 'listed' | 'seats'
  declare seats: number | null
  declare features: readonly string[]
  declare startsAt: Date
  declare expiresAt: Date | null
  declare graceUntil: Date | null
  declare revokedAt: Date | null
  declare revokedBy: 'administrator' | 'publisher' | null
  declare activatedBy: number | null
  declare activatedAt: Date
}

/** A tenant (0 = the platform) that a licence is used for, or was revoked for. */
export class LicenceTenantRow extends TenantModel {
  static override tableName = 'plugin_licence_tenants'
  static override idColumn = ['licence_id', 'tenant_id']
  declare licenceId: number
  declare pluginId: number
  declare revokedAt: Date | null
}

/** How a plugin was licensed for a tenant (0 = the platform) when that was told last. */
export class LicenceStateRow extends TenantModel {
  static override tableName = 'plugin_licence_states'
  static override idColumn = ['plugin_id', 'tenant_id']
  declare pluginId: number
  declare state: string
  declare phase: number
  declare expiresAt: Date | null
  declare generation: string
}
