import type { UserRecord } from '../../users/contract.ts'
import { readName } from './code-binding.ts'

/** What failures are counted by: the user, whichever way named, or a name that nobody has, whichever way it is spelled. */
export function accountKey(user: UserRecord | undefined, name: string): string {
  return user ? `user:${user.id}` : `name:${readName(name)}`
}
