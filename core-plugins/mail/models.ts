import { TenantModel } from '#kernel'
import type { DeliveryPart } from './contract.ts'

/** A message that waits to be delivered, or one that was given up and is kept for a day. */
export class OutgoingMessage extends TenantModel {
  static override tableName = 'outgoing_messages'
  declare id: string
  /** The message as JSON, sealed. */
  declare payload: string
  declare state: 'queued' | 'failed'
  /** How often delivery was begun. */
  declare attempts: number
  declare createdAt: Date
  declare notBefore: Date
  /** Until then the host that delivers it has it to itself. */
  declare leasedUntil: Date | null
  declare error: string | null
  declare failedAt: Date | null
}

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
  declare isTold: boolean
  declare leasedUntil: Date | null
}
