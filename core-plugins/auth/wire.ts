import type { BodyOf } from '#kernel/schemas'
import type { sentAnswer } from './codes/schemas.ts'
import type { impersonation } from './impersonation/schemas.ts'
import type { registeredAnswer } from './registration/schemas.ts'
import type { profile, signIn } from './schemas.ts'
import type { sessionBody } from './sessions/schemas.ts'
import type { ticketBody } from './tickets/schemas.ts'

/** What a sign-in answers. */
export type SignInBody = BodyOf<typeof signIn>
/** What callers are told about themselves. */
export type ProfileBody = BodyOf<typeof profile>
/** A session. */
export type SessionBody = BodyOf<typeof sessionBody>
/** The token of an administrator in a tenant. */
export type ImpersonationBody = BodyOf<typeof impersonation>
/** A code that is on its way. */
export type SentCodeBody = BodyOf<typeof sentAnswer>
/** What became of a registration. */
export type RegisteredBody = BodyOf<typeof registeredAnswer>
/** A ticket for a WebSocket. */
export type TicketBody = BodyOf<typeof ticketBody>
