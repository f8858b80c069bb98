/** How often one administrator may have sources read at once: each time somebody else's server is asked. */
export const refreshLimit = { policy: 'marketplace-refresh', requests: 30, seconds: 60, by: 'user' } as const
