import { TenantModel } from '#kernel'

/** One line of the log of administrative writes. */
export class AuditRow extends TenantModel {
  static override tableName = 'access_audit_log'
  static override jsonAttributes = ['before', 'after']

  declare id: string
  declare actorScope: 'platform' | 'tenant' | null
  declare actorTenantId: number | null
  declare actorId: number | null
  /** The administrator of the platform who acted in the actor's place. */
  declare actingUserId: number | null
  declare action: string
  declare target: string
  declare before: unknown
  declare after: unknown
  declare traceId: string | null
  declare createdAt: Date
}
