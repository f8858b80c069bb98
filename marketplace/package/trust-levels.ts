/** How far a package is trusted, from the most to the least. */
export const TRUST_LEVELS = ['official', 'verified', 'community', 'local', 'unsigned'] as const
/** How far a package is trusted. */
export type TrustLevel = (typeof TRUST_LEVELS)[number]
