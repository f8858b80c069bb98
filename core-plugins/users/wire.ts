import type { BodyOf } from '#kernel/schemas'
import type { securityBody, securityState } from './account/schemas.ts'
import type { invitation, madeInvitation } from './invitations/schemas.ts'
import type { userBody } from './schemas.ts'

/** A user. */
export type UserBody = BodyOf<typeof userBody>
/** An invitation as lists show one. */
export type InvitationBody = BodyOf<typeof invitation>
/** A new invitation with its code. */
export type MadeInvitationBody = BodyOf<typeof madeInvitation>
/** How the own sign-in is kept safe. */
export type SecurityStateBody = BodyOf<typeof securityState>
/** How the second factor stands after a change. */
export type SecurityBody = BodyOf<typeof securityBody>
