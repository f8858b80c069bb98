/** The queue acts for the platform: its statements concern the jobs of all tenants. */
export const everybody = { tenant: 'all' } as const
