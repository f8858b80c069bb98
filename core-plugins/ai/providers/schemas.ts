import { pageOf, pageQuery } from '#kernel/schemas'
import { providerTypes } from '../provider-types.ts'
import { providerHealth } from '../health-schemas.ts'

const text = { type: 'string' } as const
const maybe = { type: ['string', 'null'] } as const
const milliseconds = (maximum: number) => ({ type: 'integer', minimum: 100, maximum }) as const
const count = (maximum: number) => ({ type: 'integer', minimum: 1, maximum }) as const
const type = { enum: providerTypes } as const
const status = { enum: ['enabled', 'disabled'] } as const
const scope = { enum: ['platform', 'tenant'] } as const
const owner = { type: ['integer', 'null'], minimum: 1, maximum: 2_147_483_647 } as const
const plugin = {
  type: 'object',
  additionalProperties: false,
  required: ['name', 'provider'],
  properties: { name: { type: 'string', maxLength: 100 }, provider: { type: 'string', maxLength: 100 } },
} as const
const timeouts = {
  type: 'object',
  additionalProperties: false,
  description: 'What is left out is as the gateway has it',
  properties: {
    connect_ms: milliseconds(60_000),
    first_token_ms: milliseconds(3_600_000),
    idle_ms: milliseconds(3_600_000),
    total_ms: milliseconds(7_200_000),
  },
} as const
const limits = {
  type: 'object',
  additionalProperties: false,
  description: 'What the vendor allows; what is left out is not limited',
  properties: { rpm: count(10_000_000), tpm: count(10_000_000_000), max_concurrency: count(100_000) },
} as const

/** What may be said of a provider at any time. */
const changeable = {
  code: { type: 'string', pattern: '^[a-z0-9][a-z0-9_-]{0,63}$' },
  name: { type: 'string', minLength: 1, maxLength: 100 },
  base_url: { type: ['string', 'null'], maxLength: 2_000 },
  region: { type: ['string', 'null'], maxLength: 64 },
  settings: { type: 'object', maxProperties: 64, description: 'Of a plugin’s provider, secrets apart' },
  credentials: {
    type: 'object',
    maxProperties: 16,
    description: 'A text sets, null clears, what is absent stays. Never shown again.',
    additionalProperties: { type: ['string', 'null'], minLength: 1, maxLength: 8_192, pattern: '^[\\x20-\\x7e]*$' },
  },
  headers: {
    type: 'object',
    maxProperties: 32,
    propertyNames: { pattern: '^[A-Za-z0-9!#$%&*+.^_`|~-]{1,100}$' },
    additionalProperties: { type: 'string', maxLength: 2_000, pattern: '^[\\x20-\\x7e]*$' },
  },
  ...{ timeouts, limits, status },
} as const

/** A new provider. */
export const newProvider = {
  type: 'object',
  additionalProperties: false,
  required: ['code', 'name', 'type'],
  properties: { ...changeable, type, plugin, tenant_id: owner },
  examples: [{ code: 'openai', name: 'OpenAI', type: 'openai_compatible' }],
} as const

/** A change of a provider; what is absent stays. */
export const providerChange = {
  type: 'object',
  additionalProperties: false,
  minProperties: 1,
  properties: changeable,
} as const

const secret = {
  type: 'object',
  additionalProperties: false,
  required: ['set', 'hint', 'state', 'rotated_at'],
  properties: {
    set: { type: 'boolean' },
    hint: maybe,
    state: {
      enum: ['ok', 'undecryptable', 'missing'],
      description:
        'undecryptable: no key of the platform opens it, and the provider is not called until it is given again',
    },
    rotated_at: maybe,
  },
} as const

/** A provider as administrators see it. */
export const providerBody = {
  type: 'object',
  additionalProperties: false,
  required: [
    ...['id', 'code', 'name', 'type', 'plugin', 'settings', 'scope', 'tenant_id', 'base_url', 'region', 'credentials'],
    ...['headers', 'timeouts', 'limits', 'status', 'health', 'version', 'created_at', 'updated_at'],
  ],
  properties: {
    id: text,
    code: text,
    name: text,
    type,
    plugin: { oneOf: [plugin, { type: 'null' }] },
    settings: { type: 'object', additionalProperties: true },
    scope,
    tenant_id: owner,
    base_url: maybe,
    region: maybe,
    credentials: { type: 'object', additionalProperties: secret },
    headers: { type: 'object', additionalProperties: text },
    ...{ timeouts, limits, status, health: providerHealth },
    version: { type: 'integer', description: 'Also the ETag, for If-Match' },
    created_at: text,
    updated_at: text,
  },
} as const

/** A page of providers. */
export const providerPage = pageOf(providerBody)

/** A provider that a plugin brings, with what a form for it has to know. */
export const providerOffer = {
  type: 'object',
  additionalProperties: false,
  required: ['plugin', 'title', 'fields'],
  properties: {
    plugin,
    title: text,
    fields: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['field', 'title', 'widget', 'required', 'secret'],
        properties: {
          field: { ...text, description: 'Of `settings`, or of `credentials` where it is a secret' },
          title: text,
          widget: { enum: ['input', 'number', 'password', 'select', 'switch'] },
          required: { type: 'boolean' },
          secret: { type: 'boolean' },
          default: {},
          options: { type: 'array', items: text },
        },
      },
    },
  },
} as const

/** The providers that plugins bring. */
export const providerOffers = {
  type: 'object',
  additionalProperties: false,
  required: ['items'],
  properties: { items: { type: 'array', items: providerOffer } },
} as const

/** Which providers a list shows. */
export const providerQuery = {
  type: 'object',
  properties: {
    ...{
      ...pageQuery,
      type: { ...type, description: 'Only this type' },
      status: { ...status, description: 'Only this status' },
      scope: { ...scope, description: 'Only those of the platform, or only those of tenants' },
      region: { ...text, description: 'Only providers in this region' },
    },
    tenant_id: { ...count(2_147_483_647), minimum: 0, description: 'Only those of this tenant; 0 is the platform' },
  },
} as const

/** The provider a path names. */
export const providerParams = {
  type: 'object',
  required: ['provider_id'],
  properties: { provider_id: { type: 'string', maxLength: 64 } },
} as const
