import { pageOf, pageQuery } from '#kernel/schemas'

const text = { type: 'string' } as const
const time = { type: ['string', 'null'] } as const
const ids = { type: 'array', items: { type: 'integer' } } as const
const texts = { type: 'array', items: text } as const
const state = { enum: ['none', 'trial', 'active', 'grace', 'expired', 'revoked'] } as const

/** The id of this site, for publishers. */
export const hostBody = { type: 'object', required: ['host'], properties: { host: text } } as const

const namedTenant = {
  type: ['object', 'null'],
  required: ['id', 'code', 'name'],
  properties: { id: { type: 'integer' }, code: text, name: text },
  description: 'The tenant; null where it is gone',
} as const

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
        required: ['tenant_id', 'tenant', 'state', 'features', 'expires_at', 'grace_until'],
        properties: { ...standing, tenant_id: { type: 'integer' }, tenant: namedTenant },
      },
    },
  },
} as const

const goingOn = { enum: ['trial', 'active', 'grace'] } as const

/** Whose licences end soon. */
export const endingPage = pageOf({
  type: 'object',
  additionalProperties: false,
  required: ['plugin', 'tenant_id', 'tenant', 'state', 'expires_at'],
  properties: {
    plugin: text,
    tenant_id: { type: 'integer', description: '0 = the whole site' },
    tenant: namedTenant,
    state: goingOn,
    expires_at: time,
  },
} as const)

/** How soon licences end that a list shows. */
export const endingQuery = {
  type: 'object',
  properties: {
    ...pageQuery,
    state: { ...goingOn, description: 'Only this state' },
    days: { type: 'integer', minimum: 0, maximum: 366, default: 14, description: 'Those that end within so many days' },
  },
} as const

/** The plugin that a path names. */
export const pluginParams = {
  type: 'object',
  required: ['plugin_id'],
  properties: { plugin_id: { type: 'string', minLength: 1, maxLength: 64 } },
} as const
