import type { AllowedAccess } from '../access/attachment-access.ts'
import type { ConfigReader } from '../../config/contract.ts'

/** A link is not kept to its last minute. */
const sparedSeconds = 60

/** How long an image may be kept, by the right that it was given for: the bytes under one id never change. */
export function cachingOf({ by, expires = 0 }: AllowedAccess, now = Date.now()): string {
  if (by === 'public') return 'public, max-age=31536000, immutable'
  if (by === 'token') return 'private, no-cache'
  return `private, max-age=${leftOf(expires, now)}`
}

/** Where a redirect leads may change with the configuration. */
export function redirectCaching({ by }: AllowedAccess): Readonly<Record<string, string>> {
  return { 'cache-control': by === 'public' ? 'no-cache' : 'private, no-cache' }
}

/** How long a link to elsewhere holds, and may be kept: never longer than the right that it is given for. */
export async function linkSeconds(
  config: ConfigReader,
  { by, expires = 0 }: AllowedAccess,
  now = Date.now(),
): Promise<{ readonly valid: number; readonly cached: number }> {
  const usual = await config.get<number>('signed_url_ttl_seconds')
  const valid = by === 'signed' ? Math.max(1, Math.min(usual, leftOf(expires, now))) : usual
  return { valid, cached: Math.max(0, valid - sparedSeconds) }
}

function leftOf(expires: number, now: number): number {
  return Math.max(0, Math.floor(expires - now / 1000))
}
