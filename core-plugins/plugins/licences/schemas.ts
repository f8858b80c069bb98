const id = { type: 'integer', minimum: 1, maximum: 2147483647 } as const
const text = { type: 'string' } as const
const time = { type: ['string', 'null'] } as const
const ids = { type: 'array', items: { type: 'integer' } } as const
const texts = { type: 'array', items: text } as const
const state = { enum: ['none', 'trial', 'active', 'grace', 'expired', 'revoked'] } as const

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

/** The id of this site, for publishers. */
export const hostBody = { type: 'object', required: ['host'], properties: { host: text } } as const

const standing = { state, features: texts, expires_at: time, grace_until: time } as const

/** How a plugin is licensed. */
export const licenceBody = {
  type: 'object',
  additionalProperties: false,
  required: [
    ...['plugin', 'scope', 'host', 'type', 'keys', 'trial_days', 'state', 'features', 'expires_at', 'grace_until'],
    ...['licenses', 'tenants'],
  ],
  properties: {
    ...standing,
    plugin: text,
    scope: text,
    host: text,
    type: { enum: ['free', 'commercial'] },
    keys: texts,
    trial_days: { type: 'integer' },
    licenses: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['id', 'kind', 'key', 'state', 'features', 'expires_at', 'grace_until', 'seats', 'tenant_ids'],
        properties: {
          ...standing,
          id: text,
          kind: { enum: ['lic', 'trial'] },
          key: text,
          starts_at: text,
          seats: { type: ['integer', 'null'] },
          seats_used: { type: ['integer', 'null'] },
          tenant_ids: { type: ['array', 'null'], items: { type: 'integer' } },
          revoked_for: ids,
          revoked_at: time,
          revoked_by: { type: ['string', 'null'] },
          activated_by: { type: ['integer', 'null'] },
          activated_at: text,
        },
      },
    },
    tenants: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['tenant_id', 'state', 'features', 'expires_at', 'grace_until'],
        properties: { ...standing, tenant_id: { type: 'integer' } },
      },
    },
  },
} as const
