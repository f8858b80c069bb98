import { PlatformModel, TenantModel } from '#kernel'

/** A tenant's row. */
export class TenantRow extends PlatformModel {
  static override tableName = 'tenants'

  declare id: number
  declare code: string
  declare name: string
  declare status: 'active' | 'disabled' | 'deleted'
  declare expiresAt: Date | null
  /** Of a deleted one: when nothing of it was left. */
  declare erasedAt: Date | null
  declare createdAt: Date
  declare updatedAt: Date
}

/** A host name that a tenant claims or has proved to own. */
export class DomainRow extends TenantModel {
  static override tableName = 'tenant_domains'

  declare id: number
  declare domain: string
  declare verified: boolean
  declare primary: boolean
}
