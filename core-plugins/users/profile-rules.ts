import { ValidationFailedError } from '#kernel'

/** An image's address: of the web, or a path of this host; `//` would be another host. */
export const avatarPattern = '^(https?://[^\\s/\\\\][^\\s]*|/([^\\s/\\\\][^\\s]*)?)?$'

/** A name as people write it: no control characters, which lists and mails would trip over. */
export const nicknamePattern = '^[^\\u0000-\\u001f\\u007f\\u2028\\u2029]*$'

/** Throws 422/4220 for a name with control characters, an avatar that is no address, or a time zone that nobody knows. */
export function requireProfile({
  nickname,
  avatarUrl,
  timezone,
}: {
  readonly nickname?: string | undefined
  readonly avatarUrl?: string | undefined
  readonly timezone?: string | null | undefined
}): void {
  const errors = [
    ...(nickname !== undefined && !new RegExp(nicknamePattern).test(nickname)
      ? [{ field: 'nickname', rule: 'pattern', message: 'has characters that nobody sees' }]
      : []),
    ...(avatarUrl !== undefined && !new RegExp(avatarPattern).test(avatarUrl)
      ? [{ field: 'avatar_url', rule: 'pattern', message: 'is no http address and no path' }]
      : []),
    ...(typeof timezone === 'string' && !isTimezone(timezone)
      ? [{ field: 'timezone', rule: 'known', message: 'is no time zone' }]
      : []),
  ]
  if (errors.length > 0) throw new ValidationFailedError({ errors })
}

function isTimezone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}
