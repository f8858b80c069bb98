import { TRUST_LEVELS, type TrustLevel } from '#marketplace'

/** Whether a level is at least another. */
export function isAtLeast(level: TrustLevel, least: TrustLevel): boolean {
  return TRUST_LEVELS.indexOf(level) <= TRUST_LEVELS.indexOf(least)
}

/** The lower one of two levels. */
export function lowerOf<L extends TrustLevel>(one: L, other: L): L {
  return isAtLeast(one, other) ? other : one
}

/** The higher one of two levels. */
export function higherOf<L extends TrustLevel>(one: L, other: L): L {
  return isAtLeast(one, other) ? one : other
}
