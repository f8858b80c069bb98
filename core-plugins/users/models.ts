import { TenantModel } from '#kernel'
import type { LoginSecurity, UserStatus } from './contract.ts'

/** A user's row; account and e-mail are kept in the one spelling they are compared in. */
export class User extends TenantModel {
  static override tableName = 'users'
  static override jsonAttributes = ['loginSecurity']

  declare id: number
  declare account: string | null
  declare email: string | null
  declare phone: string | null
  declare nickname: string
  declare avatarUrl: string
  declare status: UserStatus
  declare passwordHash: string | null
  declare passwordChangedAt: Date | null
  declare passwordChangeRequired: boolean
  declare loginSecurity: LoginSecurity
  declare version: number
  declare locale: string | null
  declare timezone: string | null
  declare twoFactorEnabled: boolean
  declare emailVerifiedAt: Date | null
  declare lastLoginAt: Date | null
  declare createdAt: Date
  declare updatedAt: Date
}
