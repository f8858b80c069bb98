/** Under which names addresses hold the record whose dialogue is open over a page. */
export const recordParameters = ['entry', 'operation'] as const

/** One of these names. */
export type RecordParameter = (typeof recordParameters)[number]
