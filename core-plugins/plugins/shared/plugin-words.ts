/** How plugins may be, for whom they are and how far they are trusted, as queries and answers say it. */
export const pluginStatus = {
  enum: ['installed', 'enabled', 'awaiting_consent', 'quarantined', 'broken', 'orphaned', 'removing'],
} as const
/** For whom a plugin is. */
export const pluginScope = { enum: ['platform', 'tenant'] } as const
/** How far a package is trusted. */
export const trust = { enum: ['official', 'verified', 'community', 'local', 'unsigned'] } as const
