import { TenantModel } from '#kernel'

/** A user's second factor; it counts from `confirmedAt` on. */
export class SecondFactor extends TenantModel {
  static override tableName = 'user_second_factors'
  static override idColumn = ['tenant_id', 'user_id']

  declare userId: number
  /** The shared secret in base32, sealed. */
  declare secret: string
  declare confirmedAt: Date | null
  /** The time step of the last code that was taken; no code of it or before counts again. */
  declare lastStep: number
  declare createdAt: Date
}

/** A recovery code that was not used yet, as a MAC. */
export class RecoveryCode extends TenantModel {
  static override tableName = 'user_recovery_codes'
  static override idColumn = ['tenant_id', 'user_id', 'code_hash']

  declare userId: number
  declare codeHash: string
}
