const id = { type: 'integer', minimum: 1, maximum: 2147483647 } as const

/** A licence token, and for whom it is to be used. */
export const activateBody = {
  type: 'object',
  additionalProperties: false,
  required: ['token'],
  properties: {
    token: { type: 'string', minLength: 1, maxLength: 16_384 },
    tenant_ids: { type: 'array', minItems: 1, maxItems: 1000, uniqueItems: true, items: id },
  },
} as const

/** For whom a trial begins. */
export const trialBody = { type: 'object', additionalProperties: false, properties: { tenant_id: id } } as const

/** For whom licences are revoked. */
export const revokeQuery = {
  type: 'object',
  properties: { tenant_id: { ...id, description: 'Only those of this tenant; 0 is the platform' } },
} as const
