import { PlatformModel } from '#kernel'

/** A link that makes its holder the first administrator. */
export class SetupLink extends PlatformModel {
  static override tableName = 'auth_setup_links'
  static override idColumn = 'token_hash'

  declare tokenHash: string
  declare expiresAt: Date
}
