import { pageOf, pageQuery } from '#kernel/schemas'
import { keyQuota } from '../quotas/schemas.ts'

const text = { type: 'string' } as const
const maybe = { type: ['string', 'null'] } as const
const integer = { type: 'integer' } as const
const id = { type: 'integer', minimum: 0, maximum: 2_147_483_647 } as const
const patterns = (description: string) =>
  ({
    type: 'array',
    maxItems: 200,
    uniqueItems: true,
    items: { type: 'string', minLength: 1, maxLength: 200 },
    description,
  }) as const

/** What a key opens, by name. */
const scopes = {
  type: 'array',
  maxItems: 20,
  uniqueItems: true,
  items: { enum: ['chat', 'embeddings', 'models', 'agents', 'knowledge', 'tools', 'mcp'] },
} as const

const given = {
  name: { type: 'string', minLength: 1, maxLength: 200 },
  scopes,
  models: patterns('Codes of models, `*` for any part; empty is all that the tenant may use'),
  agents: patterns('Codes of agents; empty is all'),
  tools: patterns('Names of tools; empty is all'),
  ip_allow: {
    type: 'array',
    maxItems: 100,
    uniqueItems: true,
    items: { type: 'string', maxLength: 50 },
    description: 'Addresses and networks that calls may come from; empty is everywhere',
  },
  expires_at: { type: ['string', 'null'], format: 'date-time' },
  metadata: { type: 'object', maxProperties: 20, additionalProperties: { type: 'string', maxLength: 500 } },
} as const

const owner = {
  type: 'object',
  additionalProperties: false,
  properties: { user_id: { ...id, minimum: 1 } },
} as const

/** A key to be made. */
export const newKey = {
  type: 'object',
  additionalProperties: false,
  required: ['name'],
  properties: {
    ...given,
    tenant_id: { type: ['integer', 'null'], minimum: 0, maximum: 2_147_483_647, description: 'null is the platform' },
    owner: { ...owner, description: 'A user of the tenant; the key ends with the user' },
    quotas: { type: 'array', maxItems: 10, items: keyQuota },
  },
  examples: [{ name: 'Website' }],
} as const

/** What of a key is changed; what is absent stays. */
export const keyChange = {
  type: 'object',
  additionalProperties: false,
  properties: { ...given, status: { enum: ['active', 'disabled'] } },
} as const

/** How a key gets another secret. */
export const rotation = {
  type: 'object',
  additionalProperties: false,
  properties: {
    grace_seconds: {
      type: 'integer',
      minimum: 0,
      maximum: 2_592_000,
      description: 'How long the one before stays good',
    },
    revoke_previous: { type: 'boolean', description: 'It leaked: every one before ends now' },
  },
} as const

const status = { enum: ['active', 'rotating', 'expired', 'disabled'] } as const
const strings = { type: 'array', items: text } as const

/** A key without its secret. */
export const keyBody = {
  type: 'object',
  additionalProperties: false,
  required: [
    ...(['id', 'tenant_id', 'name', 'hint', 'status', 'owner', 'scopes', 'models', 'agents', 'tools'] as const),
    ...(['ip_allow', 'expires_at', 'metadata', 'secrets', 'last_used_at', 'last_used_ip', 'created_by'] as const),
    ...(['created_at', 'updated_at', 'version', 'usage_30d'] as const),
  ],
  properties: {
    id: text,
    tenant_id: { type: ['integer', 'null'] },
    name: text,
    key: { type: 'string', description: 'Shown once, when the key is made or gets another secret' },
    hint: { type: 'string', description: 'How the key ends' },
    status: { ...status, description: 'rotating: the secret before is good for a while' },
    owner: {
      type: 'object',
      additionalProperties: false,
      required: ['user_id'],
      properties: { user_id: { type: ['integer', 'null'] } },
    },
    scopes: strings,
    models: strings,
    agents: strings,
    tools: strings,
    ip_allow: strings,
    expires_at: maybe,
    metadata: { type: 'object', additionalProperties: true },
    secrets: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['hint', 'created_at', 'not_after'],
        properties: { hint: text, created_at: text, not_after: maybe },
      },
    },
    last_used_at: maybe,
    last_used_ip: maybe,
    created_by: { type: ['integer', 'null'] },
    created_at: text,
    updated_at: text,
    version: integer,
    usage_30d: {
      type: 'object',
      additionalProperties: false,
      required: ['requests', 'cost'],
      properties: { requests: integer, cost: text },
    },
  },
} as const

/** A key with its new secret. */
export const rotatedBody = {
  type: 'object',
  additionalProperties: false,
  required: ['id', 'key', 'hint', 'previous'],
  properties: {
    id: text,
    key: text,
    hint: text,
    previous: {
      type: ['object', 'null'],
      additionalProperties: false,
      required: ['hint', 'not_after'],
      properties: { hint: text, not_after: text },
    },
  },
} as const

/** A page of keys. */
export const keyPage = pageOf(keyBody)

/** Which keys a list shows. */
export const keyQuery = {
  type: 'object',
  properties: {
    ...pageQuery,
    status: { ...status, description: 'Only this status' },
    tenant_id: { ...id, description: 'Only those of this tenant; 0 is the platform' },
    user_id: { ...id, description: 'Only those of the user with this id' },
  },
} as const

/** The key a path names. */
export const keyParams = {
  type: 'object',
  required: ['key_id'],
  properties: { key_id: { type: 'string', minLength: 1, maxLength: 100 } },
} as const
