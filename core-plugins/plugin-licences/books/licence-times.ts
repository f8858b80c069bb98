import type { Licence } from '#marketplace'

/** Milliseconds. */
export const day = 24 * 60 * 60 * 1000

/** When a licence ends and when its grace does; null where it does not end. */
export function endsOf({ exp, grace }: Pick<Licence, 'exp' | 'grace'>) {
  if (exp === null) return { expiresAt: null, graceUntil: null }
  return { expiresAt: new Date(exp * 1000), graceUntil: new Date(exp * 1000 + grace * day) }
}
