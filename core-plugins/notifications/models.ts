import { TenantModel, type Said } from '#kernel'
import type { NotificationLevel } from './contract.ts'

/** A message to one user; ids grow with time. */
export class NotificationRow extends TenantModel {
  static override tableName = 'user_notifications'
  static override jsonAttributes = ['told']

  declare id: string
  declare userId: number
  declare title: string
  declare body: string
  /** What title and body are told from; null where they are only what they are. Older rows have no words in it. */
  declare told: { readonly title?: Partial<Said>; readonly body?: Partial<Said> } | null
  declare level: NotificationLevel
  declare link: string | null
  declare source: string
  declare kind: string
  /** Whether it stands in the list. */
  declare shown: boolean
  /** By e-mail: not, at once, in the next summary, or it has left. */
  declare mail: 'none' | 'now' | 'digest' | 'sent'
  declare readAt: Date | null
  declare createdAt: Date
}
