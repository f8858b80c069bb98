import { TenantModel } from '#kernel'
import type { RevocationCause } from '../contract.ts'

/** A sign-in that lives on: the truth about its tokens. */
export class AuthSession extends TenantModel {
  static override tableName = 'auth_sessions'

  declare id: string
  declare userId: number
  declare generation: number
  declare nonceHash: string
  declare previousNonceHash: string | null
  /** The current refresh token, sealed, to be given again to whoever brings the previous one in time. */
  declare successor: string | null
  declare rotatedAt: Date | null
  declare version: number
  declare methods: string[]
  /** The administrator of the platform who acts in the user's place; such a session has no refresh token. */
  declare actorId: number | null
  declare deviceName: string | null
  declare ip: string
  declare userAgent: string
  declare createdAt: Date
  declare lastUsedAt: Date
  declare idleExpiresAt: Date
  declare expiresAt: Date
  declare revokedAt: Date | null
  declare revokedCause: RevocationCause | null
}
