/** The query context of the platform acting for all: quotas of a call belong to its tenant and to the platform. */
export const everybody = { tenant: 'all' } as const
