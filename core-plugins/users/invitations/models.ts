import { TenantModel } from '#kernel'

/** Lets one person in, with roles and nodes. */
export class Invitation extends TenantModel {
  static override tableName = 'user_invitations'

  declare id: number
  declare codeHash: string
  /** The only address it is good for; null is any. */
  declare email: string | null
  declare roles: string[]
  declare orgIds: number[]
  declare invitedBy: number
  declare expiresAt: Date
  declare usedAt: Date | null
  declare usedBy: number | null
  declare createdAt: Date
}
