import type { UserBody } from '../../../users/wire.ts'

/** A user as lists show one. */
export type UserRow = UserBody
