import type { Knex } from 'knex'
import { defineEvent, defineService } from '#kernel'
import type { RoleName } from '../access/contract.ts'

/** Whether a user may sign in, and if not, why. */
export type UserStatus = 'active' | 'disabled' | 'pending_approval' | 'pending_verification'

/** A user of a tenant or, with tenant 0, of the platform. */
export interface UserRecord {
  readonly id: number
  readonly tenantId: number
  readonly account: string | null
  readonly email: string | null
  readonly phone: string | null
  readonly nickname: string
  readonly avatarUrl: string
  readonly status: UserStatus
  /** Grows when the credentials change; a session of an older version is over. */
  readonly version: number
  readonly passwordChangedAt: Date | null
  readonly locale: string | null
  readonly timezone: string | null
  readonly twoFactorEnabled: boolean
  readonly lastLoginAt: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** The user object of the wire. */
export interface PresentedUser {
  readonly id: number
  readonly tenant_id: number
  readonly account: string
  readonly email: string | null
  readonly phone: string | null
  readonly nickname: string
  readonly avatar_url: string
  readonly status: UserStatus
  readonly roles: readonly RoleName[]
  readonly org_ids: readonly number[]
  readonly locale: string | null
  readonly timezone: string | null
  readonly two_factor_enabled: boolean
  readonly last_login_at: string | null
  readonly created_at: string
}

/** A user to be created; the password comes hashed, so that no transaction waits for the hashing. */
export interface NewUser {
  readonly account?: string | undefined
  readonly email?: string | undefined
  readonly phone?: string | undefined
  readonly nickname?: string | undefined
  readonly passwordHash?: string | undefined
  readonly status?: UserStatus
  readonly locale?: string | undefined
}

/** What a new password is compared with. */
export interface PasswordOwner {
  readonly tenantId: number
  readonly email?: string | null | undefined
  readonly nickname?: string | undefined
}

/** Finds and changes users. */
export interface UserDirectory {
  find(tenantId: number, id: number): Promise<UserRecord | undefined>
  /** By account, e-mail or phone, in any spelling. */
  findByIdentifier(tenantId: number, identifier: string): Promise<UserRecord | undefined>
  /** Creates a user without roles; a taken account, e-mail or phone throws 409/4091. */
  create(tenantId: number, user: NewUser, trx: Knex.Transaction): Promise<UserRecord>
  /** Checks a new password against the rules (422/4223) and hashes it. */
  hashPassword(password: string, owner: PasswordOwner): Promise<string>
  /** Checks, hashes and stores a new password and begins a new version of the credentials. */
  setPassword(tenantId: number, id: number, password: string): Promise<UserRecord>
  /** The user whom account and password fit, in any status; an unknown account costs the same as a wrong password. */
  verifyPassword(tenantId: number, identifier: string, password: string): Promise<UserRecord | undefined>
  touchLogin(tenantId: number, id: number): Promise<void>
  disable(tenantId: number, id: number): Promise<void>
  present(user: UserRecord): Promise<PresentedUser>
}

/** Finds and changes users. */
export const userDirectory = defineService<UserDirectory>('users.directory')

/** A user changed; `password` means that new credentials hold. */
export const usersChanged = defineEvent<{
  readonly tenantId: number
  readonly userId: number
  readonly change: 'created' | 'updated' | 'enabled' | 'disabled' | 'password' | 'deleted'
}>('users.changed')
