import { objectOf, orNull, pageOf, pageQuery, periodQuery } from '#kernel/schemas'

const id = { type: 'integer', minimum: 1, maximum: 2_147_483_647 } as const

const states = ['pending', 'approved', 'rejected', 'cancelled', 'applied', 'superseded'] as const

/** The request a path names. */
export const changeParams = {
  type: 'object',
  required: ['change_id'],
  properties: { change_id: id },
} as const

/** Which requests are wanted. */
export const changesQuery = {
  type: 'object',
  additionalProperties: false,
  properties: {
    ...pageQuery,
    ...periodQuery,
    id: { ...id, description: 'Only the change with this id' },
    state: { enum: states, description: 'Only this state' },
    tenant_id: { ...id, description: 'Only those of this tenant; 0 is the platform' },
    group: { type: 'string', maxLength: 128, description: 'Only those of the configuration group with this code' },
    requested_by: { ...id, description: 'Only those that the user with this id asked for' },
    decided_by: { ...id, description: 'Only those that the user with this id decided' },
  },
} as const

/** Why it was decided so. */
export const decisionBody = {
  type: 'object',
  additionalProperties: false,
  properties: { reason: { type: 'string', maxLength: 500 } },
} as const

const text = { type: 'string' } as const
const maybe = { type: ['string', 'null'] } as const
const somebody = { type: ['integer', 'null'] } as const
const values = { type: 'object', additionalProperties: true, description: 'Values by key; secrets are masked' } as const

/** A request for a change. */
export const change = {
  ...objectOf({
    id: { type: 'integer' },
    tenant_id: { type: 'integer' },
    tenant: {
      ...orNull(objectOf({ id: { type: 'integer' }, code: text, name: text })),
      description: 'The tenant; null is the platform, or one that is gone',
    },
    group: text,
    keys: { type: 'array', items: text },
    before: values,
    after: values,
    state: { enum: states },
    reason: text,
    requested_by: somebody,
    requested_by_name: maybe,
    requested_at: text,
    decided_by: somebody,
    decided_by_name: { ...maybe, description: 'Null for a tenant where the platform decided' },
    decided_at: maybe,
  }),
  additionalProperties: false,
} as const

/** A page of requests. */
export const changePage = pageOf(change)
