import { pageOf, pageQuery } from '#kernel/schemas'
import { modelHealth } from '../health-schemas.ts'

const text = { type: 'string' } as const
const maybe = { type: ['string', 'null'] } as const
const moment = { type: 'string', format: 'date-time' } as const
const name = { type: 'string', pattern: '^(?!agent:)[A-Za-z0-9][A-Za-z0-9._:/-]{0,127}$' } as const
const tokens = { type: ['integer', 'null'], minimum: 1, maximum: 100_000_000 } as const
const owner = { type: ['integer', 'null'], minimum: 1, maximum: 2_147_483_647 } as const
const micro = { type: 'string', pattern: '^[0-9]{1,7}(\\.[0-9]{1,6})?$' } as const
const nano = { type: 'string', pattern: '^[0-9]{1,6}(\\.[0-9]{1,9})?$' } as const
const scope = { enum: ['platform', 'tenant'] } as const
const kind = { enum: ['chat', 'embedding'] } as const
const status = { enum: ['active', 'deprecated', 'disabled'] } as const
const prices = {
  ...{ input: micro, output: micro, cached_input: micro, cache_write: micro, per_request: nano },
  reasoning: { ...micro, description: 'Of output that is thought, where its vendor has another price for that' },
  per_image: { ...nano, description: 'For each picture of a request, beside its tokens' },
} as const

/** What belongs to the model itself. */
const head = {
  name: { ...name, description: 'Unique with all aliases of the tenant, or of the platform' },
  aliases: { type: 'array', maxItems: 20, uniqueItems: true, items: name },
  display_name: { type: 'string', minLength: 1, maxLength: 100 },
  status,
  tags: { type: 'array', maxItems: 20, uniqueItems: true, items: { type: 'string', minLength: 1, maxLength: 40 } },
  capabilities: {
    type: 'object',
    maxProperties: 32,
    propertyNames: { pattern: '^[a-z][a-z0-9_]{0,39}$' },
    additionalProperties: { type: 'boolean' },
    description:
      'Such as tools, vision, json_schema, reasoning: what is false is refused, what is not named is not known; responses: its vendor has /responses for it',
  },
} as const

/** What belongs to a version: what it is called by, what it costs, how it is asked. */
const settings = {
  provider_id: { type: 'string', maxLength: 64 },
  upstream_model: { type: 'string', minLength: 1, maxLength: 200 },
  context_window: tokens,
  max_output_tokens: tokens,
  default_output_tokens: { ...tokens, description: 'For requests that do not say' },
  tokenizer: { type: ['string', 'null'], maxLength: 40 },
  params: {
    type: 'object',
    maxProperties: 32,
    additionalProperties: {
      type: 'object',
      additionalProperties: false,
      properties: { default: {}, min: { type: 'number' }, max: { type: 'number' } },
    },
    description: 'Of a parameter of requests: its default, and the least and the most of it',
  },
  drop_params: { type: 'array', maxItems: 64, uniqueItems: true, items: { type: 'string', maxLength: 64 } },
} as const

const wholePrice = {
  type: 'object',
  additionalProperties: false,
  required: ['input', 'output'],
  properties: prices,
} as const

/** A new model with its first version. */
export const newModel = {
  type: 'object',
  additionalProperties: false,
  required: ['name', 'kind', 'provider_id', 'upstream_model'],
  properties: {
    ...{ ...head, ...settings, kind, tenant_id: owner },
    price: { oneOf: [wholePrice, { type: 'null' }], description: 'For a million tokens; per_request for a request' },
  },
  examples: [
    {
      name: 'fast',
      kind: 'chat',
      provider_id: '0190e1c4-5a0e-7c3b-9d54-2f1a6b7c8d9e',
      upstream_model: 'gpt-5-mini',
    },
  ],
} as const

/** A change of what belongs to the model itself; what is absent stays. */
export const modelChange = { type: 'object', additionalProperties: false, minProperties: 1, properties: head } as const

/** A new version, made of the one that is used and of what is said; or an earlier one to go back to. */
export const newVersion = {
  type: 'object',
  additionalProperties: false,
  minProperties: 1,
  properties: {
    ...settings,
    price: { type: ['object', 'null'], additionalProperties: false, properties: prices },
    note: { type: 'string', maxLength: 500 },
    effective_from: { ...moment, description: 'At once, unless it is later' },
    activate: { type: 'boolean', description: 'true unless said otherwise; with a canary at its end' },
    canary: {
      type: 'object',
      additionalProperties: false,
      required: ['percent', 'until'],
      properties: {
        percent: { type: 'number', exclusiveMinimum: 0, maximum: 99 },
        until: moment,
        abort_if_error_rate: {
          type: 'number',
          minimum: 0,
          exclusiveMaximum: 1,
          description:
            'When more attempts fail, of as many as the breaker needs to tell, the canary ends and is never activated',
        },
      },
    },
    activate_version: {
      type: 'integer',
      minimum: 1,
      maximum: 1_000_000,
      description: 'Uses an earlier version at once; stands alone. What was scheduled, and a canary, end.',
    },
  },
} as const

const shownPrice = {
  type: ['object', 'null'],
  additionalProperties: false,
  required: ['currency', 'unit', 'input', 'output', 'effective_from'],
  properties: { ...prices, currency: text, unit: text, effective_from: text },
} as const

const canary = {
  type: ['object', 'null'],
  additionalProperties: false,
  required: ['percent', 'from', 'until'],
  properties: { percent: { type: 'number' }, from: text, until: text, abort_if_error_rate: { type: 'number' } },
} as const

/** A version of a model. */
export const versionBody = {
  type: 'object',
  additionalProperties: false,
  required: [
    ...['version', 'state', 'provider_id', 'upstream_model', 'context_window', 'max_output_tokens'],
    ...['default_output_tokens', 'tokenizer', 'params', 'drop_params', 'price', 'note', 'canary', 'activates_at'],
    'created_at',
  ],
  properties: {
    ...{ ...settings, price: shownPrice, note: text, canary },
    version: { type: 'integer' },
    state: { enum: ['draft', 'scheduled', 'canary', 'active', 'retired', 'aborted'] },
    activates_at: maybe,
    created_at: text,
  },
} as const

/** A model as administrators see it, with the settings of the version that is used. */
export const modelBody = {
  type: 'object',
  additionalProperties: false,
  required: [
    ...[
      'id',
      'name',
      'aliases',
      'display_name',
      'kind',
      'scope',
      'tenant_id',
      'status',
      'provider_id',
      'upstream_model',
    ],
    ...['active_version', 'context_window', 'max_output_tokens', 'default_output_tokens', 'capabilities', 'tokenizer'],
    ...['price', 'params', 'drop_params', 'tags', 'health', 'version', 'created_at', 'updated_at'],
  ],
  properties: {
    ...{ ...head, ...settings, kind, price: shownPrice },
    id: text,
    scope,
    tenant_id: owner,
    active_version: { type: 'integer' },
    health: modelHealth,
    version: { type: 'integer', description: 'Also the ETag, for If-Match' },
    created_at: text,
    updated_at: text,
    versions: { type: 'array', items: versionBody },
  },
} as const

const figures = {
  type: 'object',
  additionalProperties: false,
  required: ['version', 'attempts', 'failures', 'error_rate'],
  properties: {
    version: { type: 'integer' },
    attempts: { type: 'integer' },
    failures: { type: 'integer', description: 'What callers did wrong counts for nothing' },
    error_rate: { type: ['number', 'null'], description: 'Null where nothing was tried' },
  },
} as const

/** The versions of a model. */
export const versionList = {
  type: 'object',
  additionalProperties: false,
  required: ['items', 'comparison'],
  properties: {
    items: { type: 'array', items: versionBody },
    comparison: {
      type: ['object', 'null'],
      additionalProperties: false,
      required: ['since', 'canary', 'stable'],
      properties: { since: text, canary: figures, stable: figures },
      description: 'How attempts with a canary go beside those with the version that is used; null where there is none',
    },
  },
} as const

/** A page of models. */
export const modelPage = pageOf(modelBody)

/** What became of a version. */
export const versionAnswer = {
  type: 'object',
  additionalProperties: false,
  required: ['version', 'state', 'diff', 'replaces'],
  properties: {
    version: { type: 'integer' },
    state: versionBody.properties.state,
    diff: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['path', 'from', 'to'],
        properties: { path: text, from: {}, to: {} },
      },
    },
    replaces: { type: 'integer' },
  },
} as const

/** Which models a list shows. */
export const modelQuery = {
  type: 'object',
  properties: {
    ...{
      ...pageQuery,
      kind: { ...kind, description: 'Only this kind' },
      status: { ...status, description: 'Only this status' },
      scope: { ...scope, description: 'Only those of the platform, or only those of tenants' },
    },
    provider_id: { ...text, description: 'Only those of this provider' },
    tag: { ...text, description: 'Only those with this tag' },
    tenant_id: {
      type: 'integer',
      minimum: 0,
      maximum: 2_147_483_647,
      description: 'Only those of this tenant; 0 is the platform',
    },
  },
} as const

/** The model a path names. */
export const modelParams = {
  type: 'object',
  required: ['model_id'],
  properties: { model_id: { type: 'string', maxLength: 64 } },
} as const
