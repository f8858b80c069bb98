import { pageOf, pageQuery } from '#kernel/schemas'
import { strategies } from '../stored.ts'

const text = { type: 'string' } as const
const names = (maxItems: number) =>
  ({ type: 'array', maxItems, uniqueItems: true, items: { type: 'string', minLength: 1, maxLength: 140 } }) as const

const match = {
  type: 'object',
  additionalProperties: false,
  description: 'What is left out, and an empty list, is anything',
  properties: {
    models: names(100),
    tenants: { type: 'array', maxItems: 1_000, uniqueItems: true, items: { type: 'integer', minimum: 1 } },
    agents: names(100),
    keys: names(100),
    when: {
      type: 'object',
      additionalProperties: false,
      properties: {
        has_tools: { type: 'boolean' },
        input_tokens_gt: { type: 'integer', minimum: 0, maximum: 100_000_000 },
      },
    },
  },
} as const

const target = {
  type: 'object',
  additionalProperties: false,
  required: ['id', 'model'],
  properties: {
    id: { type: 'string', pattern: '^[A-Za-z0-9_-]{1,40}$' },
    model: { type: 'string', minLength: 1, maxLength: 140, description: 'A name, an alias, or name@version' },
    provider_id: { type: 'string', maxLength: 64, description: 'Another than the model’s own' },
    tier: { type: 'integer', minimum: 0, maximum: 99, description: 'The lowest with a target that can is used' },
    weight: { type: 'number', minimum: 0, maximum: 1_000_000 },
    max_concurrency: { type: 'integer', minimum: 1, maximum: 100_000 },
    enabled: { type: 'boolean' },
    params: {
      type: 'object',
      additionalProperties: false,
      properties: { max_tokens: { type: 'integer', minimum: 1, maximum: 10_000_000 } },
    },
  },
} as const

const fallback = {
  type: 'object',
  additionalProperties: false,
  required: ['on', 'model'],
  properties: {
    on: {
      type: 'array',
      minItems: 1,
      uniqueItems: true,
      items: { enum: ['context_length', 'budget_exceeded', 'quota_exceeded', 'failed'] },
    },
    model: { type: 'string', minLength: 1, maxLength: 140 },
    notify: {
      type: 'boolean',
      description: 'Tells those who may change routes, of the tenant that calls, once an hour that it is used',
    },
  },
} as const

const properties = {
  name: { type: 'string', minLength: 1, maxLength: 100 },
  enabled: { type: 'boolean' },
  priority: {
    type: 'integer',
    minimum: 0,
    maximum: 1_000_000,
    description: 'Of routes that match, the highest is used',
  },
  match,
  strategy: { enum: [...strategies, null], description: 'null is the gateway’s' },
  router: {
    type: ['object', 'null'],
    additionalProperties: false,
    required: ['plugin'],
    properties: {
      plugin: { type: 'string', minLength: 1, maxLength: 64 },
      router: { type: 'string', minLength: 1, maxLength: 64, description: 'The plugin’s first unless given' },
    },
    description: 'Puts targets in an order; where it fails or says nothing of one, the strategy chooses',
  },
  targets: { type: 'array', minItems: 1, maxItems: 50, items: target },
  fallbacks: { type: 'array', maxItems: 10, items: fallback },
  cache: {
    type: ['object', 'null'],
    additionalProperties: false,
    required: ['max_age_s'],
    properties: { max_age_s: { type: 'integer', minimum: 1, maximum: 604_800 } },
    description: 'How long equal requests get the same answer; never those with tools',
  },
} as const

/** A new route. */
export const newRoute = {
  type: 'object',
  additionalProperties: false,
  required: ['name', 'targets'],
  properties: { ...properties, tenant_id: { type: ['integer', 'null'], minimum: 1, maximum: 2_147_483_647 } },
} as const

/** A change of a route; what is absent stays. */
export const routeChange = { type: 'object', additionalProperties: false, minProperties: 1, properties } as const

/** A route as administrators see it. */
export const routeBody = {
  type: 'object',
  additionalProperties: false,
  required: [
    ...(['id', 'name', 'enabled', 'priority', 'match', 'strategy', 'targets', 'fallbacks', 'cache'] as const),
    ...(['router', 'scope', 'tenant_id', 'version', 'created_at', 'updated_at'] as const),
  ],
  properties: {
    ...properties,
    id: text,
    scope: { enum: ['platform', 'tenant'] },
    tenant_id: { type: ['integer', 'null'] },
    version: { type: 'integer', description: 'Also the ETag, for If-Match' },
    created_at: text,
    updated_at: text,
  },
} as const

/** A page of routes. */
export const routePage = pageOf(routeBody)

/** Which routes a list shows. */
export const routeQuery = {
  type: 'object',
  properties: {
    ...pageQuery,
    enabled: { type: 'boolean', description: 'Only those that are on, or only those that are off' },
    strategy: { enum: strategies, description: 'Only routes with this strategy' },
    scope: { enum: ['platform', 'tenant'], description: 'Only those of the platform, or only those of tenants' },
    tenant_id: {
      type: 'integer',
      minimum: 0,
      maximum: 2_147_483_647,
      description: 'Only those of this tenant; 0 is the platform',
    },
  },
} as const

/** The route a path names. */
export const routeParams = {
  type: 'object',
  required: ['route_id'],
  properties: { route_id: { type: 'string', maxLength: 64 } },
} as const
