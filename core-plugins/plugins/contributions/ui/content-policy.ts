import { createHash } from 'node:crypto'
import { inlineScripts } from './inline-scripts.ts'

const MOST_SCRIPTS = 20

/**
 * The Content-Security-Policy of a plugin's page: its own files and the inline scripts it was signed with, no connection, no form
 * that is sent anywhere, and an origin of its own even when somebody visits it directly.
 */
export function contentPolicy(html = ''): string {
  const hashes = inlineScripts(html, MOST_SCRIPTS).map((script) => {
    return `'sha256-${createHash('sha256').update(script).digest('base64')}'`
  })
  return [
    "default-src 'none'",
    ["script-src 'self'", ...new Set(hashes)].join(' '),
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'none'",
    // Neither falls back to default-src: what a page is told would leave by them.
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
    'sandbox allow-scripts allow-forms',
  ].join('; ')
}
