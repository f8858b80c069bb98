/** An image's address: of the web, or a path of this host; `//` would be another host. */
export const avatarPattern = '^(https?://[^\\s/\\\\][^\\s]*|/([^\\s/\\\\][^\\s]*)?)?$'

/** A name as people write it: no control characters, which lists and mails would trip over. */
export const nicknamePattern = '^[^\\u0000-\\u001f\\u007f\\u2028\\u2029]*$'
