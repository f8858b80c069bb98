/** A ticket for a WebSocket. */
export const ticketBody = {
  type: 'object',
  additionalProperties: false,
  required: ['ticket', 'expires_in'],
  properties: { ticket: { type: 'string' }, expires_in: { type: 'integer' } },
} as const
