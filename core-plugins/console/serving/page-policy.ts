/** The path that browsers send what broke the policy to. */
export const reportPath = '/api/public/csp-report'

const features = ['camera', 'microphone', 'geolocation', 'payment', 'usb', 'display-capture', 'clipboard-read']

/**
 * What the page may do, as headers of its answer; `authority` is the host and port it was asked at, '' when that is none. Files may lie
 * elsewhere, at the origins `storage`.
 */
export function pageHeaders(
  authority: string,
  isSecure: boolean,
  storage: readonly string[],
): Readonly<Record<string, string>> {
  const places = storage.map((origin) => ` ${origin}`).join('')
  // Older browsers do not read 'self' as WebSockets of the same host.
  const sockets = authority === '' ? '' : ` ${isSecure ? 'wss' : 'ws'}://${authority}`
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self' data: blob:${places}`,
    "font-src 'self'",
    `media-src 'self' blob:${places}`,
    `connect-src 'self'${sockets}${places}`,
    "frame-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "object-src 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types vue dompurify stoa ProseMirrorClipboard',
    'report-to csp',
  ]
  return {
    'content-security-policy': policy.join('; '),
    'reporting-endpoints': `csp="${reportPath}"`,
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': [...features.map((name) => `${name}=()`), 'clipboard-write=(self)', 'fullscreen=(self)'].join(
      ', ',
    ),
    'referrer-policy': 'same-origin',
    'x-frame-options': 'DENY',
    'x-robots-tag': 'noindex',
    ...(isSecure && { 'strict-transport-security': 'max-age=31536000' }),
  }
}
