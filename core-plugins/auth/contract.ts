import { defineEvent, defineService, type Principal, type Restriction } from '#kernel'
import type { UserRecord } from '../users/contract.ts'

/** Why a session ended. */
export type RevocationCause =
  'logout' | 'password_changed' | 'device_limit' | 'refresh_reused' | 'admin' | 'user_disabled' | 'user_deleted'

/** Where a sign-in comes from. */
export interface SessionOrigin {
  readonly ip: string
  readonly userAgent: string
  readonly deviceName?: string | undefined
}

/** How somebody proved who they are (RFC 8176): `pwd`, `otp`, `sms`, `email`, `mfa` … */
export type AuthenticationMethods = readonly string[]

/** Who acts in another's place: an administrator of the platform in a tenant. */
export interface Actor {
  readonly userId: number
  readonly tenantId: 0
}

/** What a session is begun with beside the user and the origin. */
export interface SessionOptions {
  /** `['pwd']` unless said otherwise. */
  readonly methods?: AuthenticationMethods
  readonly actor?: Actor
  /** Ends the session this many seconds from now, whatever the configuration allows. */
  readonly seconds?: number
}

/** A pair of tokens with their lifetimes in seconds. */
export interface IssuedTokens {
  readonly sessionId: string
  readonly accessToken: string
  readonly expiresIn: number
  readonly refreshToken: string
  readonly refreshExpiresIn: number
  readonly roles: readonly string[]
  /** What the user has to do before the access token opens anything else. */
  readonly restriction: Restriction | null
}

/** Begins and ends sessions. */
export interface Sessions {
  /** Begins a session of a user who has proved who they are. */
  issue(user: UserRecord, origin: SessionOrigin, options?: SessionOptions): Promise<IssuedTokens>
  /** Ends one session on every host; false when it had ended. */
  revoke(sessionId: string, cause: RevocationCause): Promise<boolean>
  /** Ends all sessions of a user; answers how many there were. */
  revokeUser(tenantId: number, userId: number, cause: RevocationCause): Promise<number>
}

/** The platform's first administrator. */
export interface Setup {
  /** Whether there is a platform administrator. */
  isDone(): Promise<boolean>
  /** A link that makes its holder the first administrator, once, within 30 minutes; earlier links stop working. */
  createSetupLink(): Promise<{ readonly token: string; readonly url: string }>
  /** Makes the first administrator without a link; throws 409/4094 when there is one. */
  createAdmin(admin: { readonly email: string; readonly password: string }): Promise<void>
}

/** Tickets that open a connection as whoever asked for them. */
export interface WsTickets {
  /** Uses a ticket up; undefined when it is unknown, used or too old, or its session has ended. */
  use(ticket: string): Promise<TicketHolder | undefined>
}

/** Whoever asked for a ticket. */
export interface TicketHolder {
  readonly principal: Principal
  /** The access token that the ticket stands for, to ask again later whether its holder may pass. */
  readonly token: string
}

/** Tells who keeps principals longer than a request when they have to be asked for again. */
export interface CallerChanges {
  /** Hears, on every host, a test that holds for each principal of whom something changed; those keep no right they had. */
  onForgotten(listener: (test: (principal: Principal) => boolean) => void): Disposable
}

/** A way back in for administrators of the platform who are locked out. */
export interface AdminReset {
  /** A link for a new password, once, within 30 minutes; undefined when no active administrator has the address. */
  createLink(email: string): Promise<{ readonly token: string; readonly url: string } | undefined>
}

/** Begins and ends sessions. */
export const sessions = defineService<Sessions>('auth.sessions')
/** The platform's first administrator. */
export const setup = defineService<Setup>('auth.setup')
/** Tickets that open a connection as whoever asked for them. */
export const wsTickets = defineService<WsTickets>('auth.ws_tickets')
/** Tells who keeps principals when they have to be asked for again. */
export const callerChanges = defineService<CallerChanges>('auth.caller_changes')
/** A way back in for administrators of the platform who are locked out. */
export const adminReset = defineService<AdminReset>('auth.admin_reset')

/** A session ended before its time. */
export const sessionRevoked = defineEvent<{
  readonly sessionId: string
  readonly tenantId: number
  readonly userId: number
  readonly cause: RevocationCause
}>('auth.session_revoked')
/** A refresh token came back after it was exchanged: somebody holds a copy, and the session was ended. */
export const refreshReused = defineEvent<{
  readonly sessionId: string
  readonly tenantId: number
  readonly userId: number
  readonly ip: string
}>('auth.refresh_reused')
/** The platform has its first administrator. */
export const setupCompleted = defineEvent<{ readonly userId: number }>('auth.setup_completed')
