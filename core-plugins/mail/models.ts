import { TenantModel } from '#kernel'

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
