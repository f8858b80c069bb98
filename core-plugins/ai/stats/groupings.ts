/** What is shown as one. */
export const groupings = ['target', 'provider', 'model', 'tenant'] as const
