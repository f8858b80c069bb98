import { TenantModel, type Localised } from '#kernel'
import type { NotificationLevel } from '../contract.ts'

/** For whom the platform announces something: tenants, all or some, and its own staff. */
export interface PlatformAudience {
  readonly tenants: 'all' | readonly number[]
  readonly staff: boolean
}

/** For whom a tenant does: the holders of one of these roles, everybody where there is none. */
export interface TenantAudience {
  readonly roles: readonly string[]
}

/** Something that is announced; tenant 0 is the platform. */
export class AnnouncementRow extends TenantModel {
  static override tableName = 'announcements'
  static override jsonAttributes = ['title', 'body', 'audience']

  declare id: string
  declare tenantId: number
  declare title: Localised
  declare body: Localised
  declare level: NotificationLevel
  declare audience: PlatformAudience | TenantAudience
  declare requiresAcknowledgement: boolean
  declare startsAt: Date
  declare expiresAt: Date | null
  /** When listeners were told. */
  declare toldAt: Date | null
  declare createdBy: number
  declare createdAt: Date
}

/** Somebody has acknowledged an announcement. */
export class AcknowledgementRow extends TenantModel {
  static override tableName = 'announcement_acknowledgements'
  static override idColumn = ['announcement_id', 'tenant_id', 'user_id']

  declare announcementId: string
  declare tenantId: number
  declare userId: number
  declare acknowledgedAt: Date
}
