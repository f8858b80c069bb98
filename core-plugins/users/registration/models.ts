import { TenantModel } from '#kernel'

/** Proves, once and for a time, that whoever holds its token reads the mail of an address. */
export class EmailProof extends TenantModel {
  static override tableName = 'user_email_proofs'
  static override idColumn = 'token_hash'

  declare tokenHash: string
  declare userId: number
  declare email: string
  /** What the user is once the address is proved. */
  declare nextStatus: 'active' | 'pending_approval'
  declare expiresAt: Date
}
