import { ValidationFailedError } from '#kernel'
import { avatarPattern, nicknamePattern } from './profile-patterns.ts'

/** Throws 422/4220 for a name with control characters or an avatar that is no address. */
export function requireProfile({
  nickname,
  avatarUrl,
}: {
  readonly nickname?: string | undefined
  readonly avatarUrl?: string | undefined
}): void {
  const errors = [
    ...(nickname !== undefined && !new RegExp(nicknamePattern).test(nickname)
      ? [{ field: 'nickname', rule: 'pattern', message: 'has characters that nobody sees' }]
      : []),
    ...(avatarUrl !== undefined && !new RegExp(avatarPattern).test(avatarUrl)
      ? [{ field: 'avatar_url', rule: 'pattern', message: 'is no http address and no path' }]
      : []),
  ]
  if (errors.length > 0) throw new ValidationFailedError({ errors })
}
