import { prices, shownPrice } from './price-schemas.ts'

const text = { type: 'string' } as const
const maybe = { type: ['string', 'null'] } as const
const moment = { type: 'string', format: 'date-time' } as const
const tokens = { type: ['integer', 'null'], minimum: 1, maximum: 100_000_000 } as const

/** What belongs to a version: what it is called by, what it costs, how it is asked. */
export const versionSettings = {
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

/** A new version, made of the one that is used and of what is said; or an earlier one to go back to. */
export const newVersion = {
  type: 'object',
  additionalProperties: false,
  minProperties: 1,
  properties: {
    ...versionSettings,
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
    ...{ ...versionSettings, price: shownPrice, note: text, canary },
    version: { type: 'integer' },
    state: { enum: ['draft', 'scheduled', 'canary', 'active', 'retired', 'aborted'] },
    activates_at: maybe,
    created_at: text,
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
