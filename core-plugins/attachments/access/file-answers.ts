/** Where a file lies, for callers that take JSON. */
const placeBody = {
  type: 'object',
  additionalProperties: false,
  required: ['redirect_url', 'expires_at'],
  properties: { redirect_url: { type: 'string' }, expires_at: { type: 'string' } },
} as const

/** How a file is given: all of it or a part, or where it lies. */
export const fileAnswers = [
  { types: ['*/*'] },
  { status: 200, schema: placeBody },
  { status: 206, types: ['*/*'] },
  302,
  304,
] as const
