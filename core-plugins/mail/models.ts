import { TenantModel } from '#kernel'
import type { DeliveryPart } from './contract.ts'

/** A change of how messages reach people, kept for a few days. */
export class DeliveryChangeRow extends TenantModel {
  static override tableName = 'mail_delivery_changes'
  declare id: string
  declare part: DeliveryPart
  /** Who changed it; null where nobody in particular did. */
  declare byTenantId: number | null
  declare byUserId: number | null
  /** The settings before as JSON, sealed; null where the way is none of settings. */
  declare former: string | null
  declare changedAt: Date
}
