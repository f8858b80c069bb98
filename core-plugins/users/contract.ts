import type { Knex } from 'knex'
import { defineEvent, defineService, type Tenant } from '#kernel'
import type { RoleName } from '../access/contract.ts'
import { userStatuses, type UserStatus } from './contract-status.ts'

export { userStatuses, type UserStatus }
export { type ProfilePictureKeeper, profilePictures } from './contract-pictures.ts'

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
  /** Set when an administrator chose the password: the user must choose another before anything else. */
  readonly passwordChangeRequired: boolean
  /** What the user chose for the safety of the own sign-in. */
  readonly loginSecurity: LoginSecurity
  readonly lastLoginAt: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** What a user chose for the safety of the own sign-in. */
export interface LoginSecurity {
  /** Whether a sign-in from a device that was not seen before is told by e-mail. */
  readonly notifyNewDevice: boolean
  /** Addresses and networks that sign-ins may come from; empty is everywhere. */
  readonly allowedIps: readonly string[]
  /** Devices signed in at once; null leaves it to the tenant, and no user may have more than that. */
  readonly sessionMaxDevices: number | null
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
  readonly email: string | null
  readonly account?: string | null | undefined
  readonly phone?: string | null | undefined
  readonly nickname?: string | undefined
  readonly tenantName?: string | undefined
  /** The member of the body that it came in, which faults name; `password` unless said otherwise. */
  readonly field?: string | undefined
}

/** A change that a user makes to the own profile; absent members stay. */
interface ProfileChange {
  readonly nickname?: string | undefined
  readonly avatarUrl?: string | undefined
  /** A picture of the user's own instead of an address; null is none. */
  readonly avatarAttachmentId?: string | null | undefined
  readonly locale?: string | null | undefined
  readonly timezone?: string | null | undefined
}

/** Second factors of sign-ins: one-time passwords by time (RFC 6238) and recovery codes. */
export interface SecondFactors {
  /** Ways a user may prove a second time who they are; empty without a second factor. */
  methodsOf(tenantId: number, userId: number): Promise<readonly SecondFactorMethod[]>
  /** Uses a code up: each is good once, also a TOTP code within its time. */
  verify(tenantId: number, userId: number, method: SecondFactorMethod, code: string): Promise<boolean>
}
/** A way to prove a second time who one is. */
export type SecondFactorMethod = 'totp' | 'recovery_code'

/** Somebody who wants an account in a tenant. */
export interface Registration {
  readonly email: string
  readonly password: string
  readonly nickname: string
  readonly phone?: string | undefined
  readonly inviteCode?: string | undefined
  readonly locale?: string | undefined
}

/** What became of a registration. */
export interface Registered {
  readonly userId: number
  readonly initialRole: string
  readonly status: 'active' | 'pending_approval' | 'pending_verification'
}

/** Takes in people who register themselves. */
export interface Registrations {
  /** Throws 403/4036 where a tenant takes only those who were invited and no invitation is named; it is looked at by `register`. */
  requireOpen(tenantId: number, inviteCode: string | undefined): Promise<void>
  /**
   * Checks that the tenant takes registrations (403/4036), the invitation (400/4006) and the password (422/4223), and makes the user,
   * who is to prove the address unless an invitation was to it. Where the address has an account the answer is the same, nobody is made
   * and the owner gets a message; an address that was invited may know and throws 409/4091. A number that is somebody's is left out, and
   * whoever has it gets a message. The captcha is the caller's business.
   */
  register(tenant: Tenant, registration: Registration): Promise<Registered>
  /** Takes the proof that an e-mail address is the user's; throws 400/4006 for a wrong, used or old one. */
  verifyEmail(token: string): Promise<Registered>
}

/** Somebody who wants in, by the name they gave. */
interface SignInCandidate {
  /** Who is meant, in any status, if anybody is. */
  readonly user: UserRecord | undefined
  /** Whether a password is that user's; for nobody's it is false at the same cost. */
  fits(password: string): Promise<boolean>
  /** Whether somebody with this password was told that they are registered under the name, which is this user's. */
  isPretended(password: string): Promise<boolean>
}

/** Which users of a tenant are wanted, in the order of their ids. */
export interface UserQuery {
  /** Part of a nickname or account, in any case. */
  readonly q?: string | undefined
  readonly ids?: readonly number[] | undefined
  /** Only ids above this one. */
  readonly after?: number | undefined
  readonly limit: number
}

/** Finds and changes users. */
export interface UserDirectory {
  /** The one spelling in which an account, an e-mail address or a phone number is kept and compared. */
  spell(name: string): string
  find(tenantId: number, id: number): Promise<UserRecord | undefined>
  list(tenantId: number, query: UserQuery): Promise<readonly UserRecord[]>
  /** Users of whatever tenants, by id; those who are gone are absent. */
  byId(ids: readonly number[]): Promise<ReadonlyMap<number, UserRecord>>
  /** How many users some tenants have; those without any are absent. */
  countIn(tenantIds: readonly number[]): Promise<ReadonlyMap<number, number>>
  /** By account, e-mail or phone, in any spelling. */
  findByIdentifier(tenantId: number, identifier: string): Promise<UserRecord | undefined>
  /** Whether messages to an address reach an active user, in any spelling. */
  isUsersAddress(tenantId: number, email: string): Promise<boolean>
  /** Creates a user without roles; a taken account, e-mail or phone throws 409/4091. */
  create(tenantId: number, user: NewUser, trx: Knex.Transaction): Promise<UserRecord>
  /** Checks a new password against the rules (422/4223) and hashes it. */
  hashPassword(password: string, owner: PasswordOwner): Promise<string>
  /**
   * Checks, hashes and stores a new password and begins a new version of the credentials; the current one again is
   * 422/4223 (rule `history`), and faults name the field `new_password`. Chosen by somebody else it must be changed by
   * the user before anything else.
   */
  setPassword(
    tenantId: number,
    id: number,
    password: string,
    options?: { readonly changeRequired?: boolean; readonly tenantName?: string | undefined },
  ): Promise<UserRecord>
  /** Who is meant by an account, e-mail or phone, in any spelling, and whether a password is theirs. */
  identify(tenantId: number, identifier: string): Promise<SignInCandidate>
  /** Whether a password is the user's. */
  verifyPassword(tenantId: number, id: number, password: string): Promise<boolean>
  touchLogin(tenantId: number, id: number): Promise<void>
  disable(tenantId: number, id: number): Promise<void>
  /** What users change about themselves. */
  updateProfile(tenantId: number, id: number, profile: ProfileChange): Promise<UserRecord>
  present(user: UserRecord): Promise<PresentedUser>
}

/** Finds and changes users. */
export const userDirectory = defineService<UserDirectory>('users.directory')
/** Second factors of sign-ins. */
export const secondFactors = defineService<SecondFactors>('users.second_factors')
/** Takes in people who register themselves. */
export const registrations = defineService<Registrations>('users.registrations')

/** The kind of noted changes of what decides whether a user is still signed in, by `<tenant>:<user>`; for those who keep it. */
export const signInChanged = 'users.sign_in'
/** Somebody registered, and perhaps waits to be approved or to prove the address. */
export const usersRegistered = defineEvent<{
  readonly tenantId: number
  readonly userId: number
  readonly status: UserStatus
}>('users.registered')
/**
 * A user is no more, and what is kept of the user goes. Told again where a listener failed or the host died, and once more when the
 * calls that were under way are over: whoever hears it deletes whatever is there by then.
 */
export const usersDeleted = defineEvent<{ readonly tenantId: number; readonly userId: number }>('users.deleted')
/** A user changed; `password` means that new credentials hold. */
export const usersChanged = defineEvent<{
  readonly tenantId: number
  readonly userId: number
  readonly change: 'created' | 'updated' | 'enabled' | 'disabled' | 'password' | 'deleted'
}>('users.changed')
