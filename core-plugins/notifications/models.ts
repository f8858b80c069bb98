import { TenantModel } from '#kernel'
import type { NotificationLevel } from './contract.ts'

/** A message to one user; ids grow with time. */
export class NotificationRow extends TenantModel {
  static override tableName = 'user_notifications'

  declare id: string
  declare userId: number
  declare title: string
  declare body: string
  declare level: NotificationLevel
  declare link: string | null
  declare source: string
  declare readAt: Date | null
  declare createdAt: Date
}
