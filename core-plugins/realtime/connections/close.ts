import { AppError } from '#kernel'

/** Why a connection ends, as the client reads it: a code of RFC 6455 or one of ours, and a slug. */
export interface Close {
  readonly code: number
  readonly reason: string
  /** After how many milliseconds the client comes again. */
  readonly retryMilliseconds?: number
}

/** The closes that are always alike. */
export const closes = {
  expired: { code: 4401, reason: 'token_expired' },
  unauthenticated: { code: 4401, reason: 'unauthenticated' },
  wrongNamespace: { code: 4403, reason: 'scope_mismatch' },
  authTimeout: { code: 4408, reason: 'auth_timeout' },
  replaced: { code: 4409, reason: 'replaced' },
  tooSlow: { code: 4413, reason: 'too_slow' },
  rate: { code: 4429, reason: 'rate_limited' },
  gone: { code: 1001, reason: 'going_away' },
  unavailable: { code: 1013, reason: 'unavailable' },
} as const satisfies Readonly<Record<string, Close>>

const nearestMilliseconds = 1_000
const farthestMilliseconds = 5_000
/** How many clients come back in a millisecond at most, on average. */
const perMillisecond = 1

/** The end of a host that holds so many connections: each is told another time to come back, so that they do not come at once. */
export function restart(connections: number): Close {
  const spread = Math.max(farthestMilliseconds - nearestMilliseconds, connections / perMillisecond)
  const retryMilliseconds = nearestMilliseconds + Math.floor(Math.random() * spread)
  return { code: 1012, reason: `retry_after_ms=${retryMilliseconds}`, retryMilliseconds }
}

/** Why a caller who was refused is let go. */
export function closeOf(error: unknown): Close {
  if (!(error instanceof AppError) || error.status >= 500 || error.status < 400) return closes.unavailable
  const { cause } = error.details ?? {}
  const reason = typeof cause === 'string' ? `${error.reason}:${cause}`.slice(0, 120) : error.reason
  return { code: error.status === 403 ? 4403 : 4401, reason }
}
