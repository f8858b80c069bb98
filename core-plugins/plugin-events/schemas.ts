/** How an event of a queue stands. */
export const eventState = { enum: ['dead', 'queued'] } as const

/** An event that waits for a plugin, or was set aside. */
export const eventBody = {
  type: 'object',
  required: ['id', 'tenant_id', 'type', 'state', 'attempts', 'error', 'occurred_at'],
  properties: {
    id: { type: 'string' },
    tenant_id: { type: ['integer', 'null'] },
    type: { type: 'string' },
    state: eventState,
    payload_bytes: { type: 'integer' },
    attempts: { type: 'integer' },
    error: { type: ['string', 'null'] },
    not_before: { type: 'string' },
    occurred_at: { type: 'string' },
    trace_id: { type: ['string', 'null'] },
  },
} as const
