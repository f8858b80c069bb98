import { ValidationFailedError } from '#kernel'

/** An image's address: of the web, or a path of this host; `//` would be another host. */
export const avatarPattern = '^(https?://[^\\s/\\\\][^\\s]*|/([^\\s/\\\\][^\\s]*)?)?$'

/** Throws 422/4220 for an avatar that is no address of an image, or a time zone that nobody knows. */
export function requireProfile({
  avatarUrl,
  timezone,
}: {
  readonly avatarUrl?: string | undefined
  readonly timezone?: string | null | undefined
}): void {
  const errors = [
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
