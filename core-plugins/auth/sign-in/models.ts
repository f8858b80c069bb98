import { TenantModel } from '#kernel'

/** How often sign-in to one account failed from one network. */
export class LoginFailure extends TenantModel {
  static override tableName = 'auth_login_failures'
  static override idColumn = ['tenant_id', 'account', 'network']

  declare account: string
  declare network: string
  declare failures: number
  declare lastFailedAt: Date
  declare lockedUntil: Date | null
}

/** A browser and a network that a user has signed in from. */
export class KnownDevice extends TenantModel {
  static override tableName = 'auth_known_devices'
  static override idColumn = ['tenant_id', 'user_id', 'fingerprint']

  declare userId: number
  declare fingerprint: string
  declare lastSeenAt: Date
}
