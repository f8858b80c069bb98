/** What a deletion may be told. */
export const forceQuery = {
  type: 'object',
  properties: { force: { type: 'boolean', description: 'Also where others use it' } },
} as const
