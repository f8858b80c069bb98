const mostMs = 3_600_000

/** Milliseconds that `Retry-After` asks for, as seconds or a date (RFC 9110, 10.2.3): an hour at most, 0 for what is neither. */
export function readRetryAfter(value: string | undefined, now: number): number {
  if (value === undefined) return 0
  const wait = /^[0-9]{1,9}$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - now
  return Number.isNaN(wait) ? 0 : Math.min(Math.max(wait, 0), mostMs)
}
