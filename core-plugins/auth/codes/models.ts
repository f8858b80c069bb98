import { TenantModel } from '#kernel'
import type { CodePurpose } from './code-binding.ts'

/** A code that somebody was sent, or that nobody was sent. */
export class AuthCode extends TenantModel {
  static override tableName = 'auth_codes'
  static override idColumn = ['tenant_id', 'target', 'purpose']

  /** A MAC over channel and address. */
  declare target: string
  declare purpose: CodePurpose
  /** Whose code it is; null where nobody has the address. */
  declare userId: number | null
  declare codeHash: string
  declare tries: number
  declare expiresAt: Date
}
