/** The errors' English stands in the errors themselves. */
export const english = {} as const
