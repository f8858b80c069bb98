import { createHash } from 'node:crypto'

const INLINE_SCRIPT = /<script(?![^>]*\ssrc\s*=)[^>]*>([^]*?)<\/script>/gi
const MOST_SCRIPTS = 20

/**
 * The Content-Security-Policy of a plugin's page: its own files and the inline scripts it was signed with, no connection, and
 * an origin of its own even when somebody visits it directly.
 */
export function contentPolicy(html = ''): string {
  const hashes = [...html.matchAll(INLINE_SCRIPT)].slice(0, MOST_SCRIPTS).map(([, script = '']) => {
    return `'sha256-${createHash('sha256').update(script).digest('base64')}'`
  })
  return [
    "default-src 'none'",
    ["script-src 'self'", ...new Set(hashes)].join(' '),
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'none'",
    "frame-ancestors 'self'",
    'sandbox allow-scripts allow-forms',
  ].join('; ')
}
