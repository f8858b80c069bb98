import { objectOf, pageOf, pageQuery, periodQuery } from '#kernel/schemas'

/** The query of sessions. */
export const sessionQuery = {
  type: 'object',
  properties: {
    ...pageQuery,
    ...periodQuery,
    device_name: { type: 'string', maxLength: 200, description: 'Only sessions of this device' },
    ip: { type: 'string', maxLength: 64, description: 'Only those from this address' },
    current: { type: 'boolean', description: 'Only the one that asks, or only the others' },
  },
} as const

/** A session. */
export const sessionBody = objectOf({
  id: { type: 'string' },
  device_name: { type: ['string', 'null'] },
  ip: { type: 'string' },
  user_agent: { type: 'string' },
  created_at: { type: 'string' },
  last_used_at: { type: 'string' },
  current: { type: 'boolean' },
})

/** Sessions. */
export const sessionPage = pageOf(sessionBody)
