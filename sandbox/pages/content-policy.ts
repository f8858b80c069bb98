/** What a file that is no page says of itself: opened as one, it runs nothing. */
export const filePolicy = "default-src 'none'; sandbox"

/** A folder of this site as policies name it; `'self'` for hosts that they have no word for, which are bare IPv6 addresses. */
export function sourceOf(authority: string, folder: string): string {
  return /^[a-z0-9.-]+(:\d+)?$/.test(authority) ? authority + folder : "'self'"
}

/**
 * The Content-Security-Policy of a plugin's page: the files of the given folders and the inline scripts it was signed with, nothing
 * else that the site serves, no connection, no form that is sent anywhere, and an origin of its own even when somebody visits it
 * directly.
 */
export function contentPolicy(folders: readonly string[], hashes: readonly string[]): string {
  const own = [...new Set(folders)].join(' ')
  return [
    "default-src 'none'",
    ['script-src', own, ...hashes].join(' '),
    `style-src ${own}`,
    `img-src ${own} data: blob:`,
    `font-src ${own} data:`,
    'media-src blob:',
    "connect-src 'none'",
    "worker-src 'none'",
    "frame-src 'none'",
    // Neither falls back to default-src: what a page is told would leave by them.
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
    'sandbox allow-scripts allow-forms',
  ].join('; ')
}
