import type { UserRecord } from '../../users/contract.ts'

/** What failures are counted by: the user, whichever way named, or a name in its one spelling that nobody has. */
export function accountKey(user: UserRecord | undefined, name: string): string {
  return user ? `user:${user.id}` : `name:${name}`
}
