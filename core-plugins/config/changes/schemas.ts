import { pageOf, pageQuery, periodQuery } from '#kernel'

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

/** A request for a change. */
export const change = {
  type: 'object',
  additionalProperties: false,
  required: [
    'id',
    'tenant_id',
    'tenant',
    'group',
    'keys',
    'before',
    'after',
    'state',
    'reason',
    'requested_by',
    'requested_by_name',
    'requested_at',
    'decided_by',
    'decided_by_name',
    'decided_at',
  ],
  properties: {
    id: { type: 'integer' },
    tenant_id: { type: 'integer' },
    tenant: {
      type: ['object', 'null'],
      required: ['id', 'code', 'name'],
      properties: { id: { type: 'integer' }, code: { type: 'string' }, name: { type: 'string' } },
      description: 'The tenant; null is the platform, or one that is gone',
    },
    group: { type: 'string' },
    keys: { type: 'array', items: { type: 'string' } },
    before: { type: 'object' },
    after: { type: 'object' },
    state: { enum: states },
    reason: { type: 'string' },
    requested_by: { type: ['integer', 'null'] },
    requested_by_name: { type: ['string', 'null'] },
    requested_at: { type: 'string' },
    decided_by: { type: ['integer', 'null'] },
    decided_by_name: { type: ['string', 'null'], description: 'Null for a tenant where the platform decided' },
    decided_at: { type: ['string', 'null'] },
  },
} as const

/** A page of requests. */
export const changePage = pageOf(change)
