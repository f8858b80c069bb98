import { TenantModel } from '#kernel'

/** A link that lets its holder choose a new password. */
export class ResetLink extends TenantModel {
  static override tableName = 'auth_reset_links'
  static override idColumn = 'token_hash'

  declare tokenHash: string
  declare userId: number
  /** Of the credentials it was made for; once they have changed it opens nothing. */
  declare version: number
  declare expiresAt: Date
}
