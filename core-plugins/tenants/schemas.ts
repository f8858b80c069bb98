import { idsQuery, objectOf, orNull, pageOf, pageQuery, periodQuery } from '#kernel/schemas'

const code = { type: 'string', pattern: '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$' } as const
const name = { type: 'string', minLength: 1, maxLength: 128, pattern: '\\S' } as const
const domains = {
  type: 'array',
  maxItems: 50,
  items: { type: 'string', minLength: 1, maxLength: 253 },
} as const

/** The path of one tenant. */
export const tenantParams = {
  type: 'object',
  required: ['tenant_id'],
  properties: { tenant_id: { type: 'integer', minimum: 1, maximum: 2147483647 } },
} as const

/** The query of a list of tenants. */
export const tenantQuery = {
  type: 'object',
  properties: {
    ...pageQuery,
    ...periodQuery,
    ...idsQuery,
    code: { type: 'string', maxLength: 64, description: 'Only the one with this code' },
    status: { enum: ['active', 'disabled', 'expired'], description: 'Only this status' },
  },
} as const

/** A new tenant with its owner. */
export const newTenant = {
  type: 'object',
  additionalProperties: false,
  required: ['code', 'name', 'owner'],
  properties: {
    code,
    name,
    domains,
    owner: {
      type: 'object',
      additionalProperties: false,
      required: ['email', 'password'],
      properties: {
        email: { type: 'string', maxLength: 254, pattern: '^[^\\s@]{1,64}@[^\\s@]+\\.[^\\s@]+$' },
        password: { type: 'string', minLength: 1, maxLength: 1024 },
        nickname: { type: 'string', maxLength: 64 },
      },
    },
  },
  examples: [
    { code: 'acme', name: 'Acme', owner: { email: 'owner@example.com', password: 'a long enough passphrase' } },
  ],
} as const

/** A change of a tenant. */
export const tenantChange = {
  type: 'object',
  additionalProperties: false,
  minProperties: 1,
  properties: {
    code,
    name,
    status: { enum: ['active', 'disabled'] },
    domains,
    expires_at: { type: ['string', 'null'], format: 'date-time' },
  },
  examples: [{ name: 'Acme Ltd', expires_at: null }],
} as const

const text = { type: 'string' } as const
const shown = {
  id: { type: 'integer' },
  code: text,
  name: text,
  status: { enum: ['active', 'disabled', 'expired'] },
  domains: {
    type: 'array',
    items: objectOf({ domain: text, verified: { type: 'boolean' }, primary: { type: 'boolean' } }),
  },
  expires_at: { type: ['string', 'null'] },
  created_at: text,
  updated_at: text,
} as const

/** A new tenant with its owner. */
export const madeTenant = objectOf({
  ...shown,
  owner: objectOf({ id: { type: 'integer' }, email: { type: ['string', 'null'] } }),
})

const owner = {
  ...orNull(
    objectOf({ id: { type: 'integer' }, nickname: text, email: { type: ['string', 'null'] }, avatar_url: text }),
  ),
  additionalProperties: false,
  description: 'Who holds the owner’s role, the first of them',
} as const

/** A tenant with what it has. */
export const tenantDetail = objectOf({
  ...shown,
  users: { type: 'integer', description: 'How many users it has' },
  plugins: { type: 'integer', description: 'How many plugins are assigned to it' },
  owner,
})

/** What a list of tenants answers. */
export const tenantPage = pageOf(tenantDetail)
