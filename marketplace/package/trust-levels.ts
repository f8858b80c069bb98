/** How far a package is trusted, from the most to the least. */
export const trustLevels = ['official', 'verified', 'community', 'local', 'unsigned'] as const
/** How far a package is trusted. */
export type TrustLevel = (typeof trustLevels)[number]

/** Whether a level is at least another. */
export function isAtLeast(level: TrustLevel, least: TrustLevel): boolean {
  return trustLevels.indexOf(level) <= trustLevels.indexOf(least)
}

/** The lower one of two levels. */
export function lowerOf<L extends TrustLevel>(one: L, other: L): L {
  return isAtLeast(one, other) ? other : one
}
