import { pageOf, pageQuery } from '#kernel/schemas'

const text = { type: 'string' } as const
const maybe = { type: ['string', 'null'] } as const
const integer = { type: 'integer' } as const
const tenant = { type: ['integer', 'null'], minimum: 0, maximum: 2_147_483_647 } as const
const name = { type: 'string', minLength: 1, maxLength: 200 } as const
const one = { type: ['string', 'null'], minLength: 1, maxLength: 100 } as const

const metric = {
  enum: [
    ...(['requests', 'input_tokens', 'output_tokens', 'tokens', 'cost', 'concurrency'] as const),
    ...(['tool_calls', 'tool_cpu_ms', 'sandbox_ms'] as const),
  ],
} as const
/** An amount of a metric. */
export const limit = {
  type: 'string',
  pattern: '^[0-9]{1,15}(\\.[0-9]{1,9})?$',
  description: 'Money in decimals of the platform’s currency, the rest whole',
} as const
const window = {
  type: 'object',
  additionalProperties: false,
  required: ['kind'],
  properties: {
    kind: { enum: ['calendar', 'fixed', 'sliding', 'total'] },
    unit: { enum: ['minute', 'hour', 'day', 'week', 'month'], description: 'Of calendar' },
    tz: { type: 'string', format: 'time-zone', maxLength: 64, description: 'Of calendar; UTC unless given' },
    seconds: { type: 'integer', minimum: 1, maximum: 31_622_400, description: 'Of fixed and sliding' },
  },
} as const
const onExceed = {
  type: 'object',
  additionalProperties: false,
  required: ['action'],
  properties: {
    action: {
      enum: ['clamp', 'reject', 'fallback'],
      description: 'clamp: the answer may be as long as there is room for',
    },
    min_output_tokens: {
      type: 'integer',
      minimum: 1,
      maximum: 1_000_000,
      description: 'Of clamp: with less room the else holds',
    },
    else: { enum: ['reject', 'fallback'] },
    fallback_model: { type: ['string', 'null'], maxLength: 200 },
  },
} as const
const share = { enum: ['tenant', 'user', 'key', 'agent', 'model', 'provider'] } as const
const settings = {
  name,
  limit,
  mode: { enum: ['hard', 'soft'], description: 'soft: counts and warns, and refuses nothing' },
  estimate: {
    enum: ['strict', 'estimate'],
    description: 'How the input of a call is reckoned before it: never too low, or by experience',
  },
  on_exceed: onExceed,
  warn_at: {
    type: 'array',
    maxItems: 10,
    uniqueItems: true,
    items: { type: 'number', exclusiveMinimum: 0, maximum: 1 },
  },
} as const
const scope = {
  type: 'object',
  additionalProperties: false,
  properties: {
    agent_id: one,
    model_id: one,
    key_id: one,
    user_id: { type: ['integer', 'null'], minimum: 1, maximum: 2_147_483_647 },
    provider_id: one,
  },
} as const

/** A quota to be set. */
export const newQuota = {
  type: 'object',
  additionalProperties: false,
  required: ['name', 'metric', 'limit'],
  properties: {
    ...settings,
    tenant_id: { ...tenant, description: 'null is the platform: over all tenants' },
    scope,
    per: { type: 'array', maxItems: 6, uniqueItems: true, items: share, description: 'A bucket for each distinct one' },
    metric,
    window,
  },
  examples: [{ name: 'A month of Acme', metric: 'cost', limit: '100', tenant_id: 1 }],
} as const

/** A quota that comes with a key. */
export const keyQuota = {
  type: 'object',
  additionalProperties: false,
  required: ['metric', 'limit'],
  properties: { ...settings, metric, window },
} as const

/** What of a quota is changed; what is absent stays, and what it counts is as it was made. */
export const quotaChange = {
  type: 'object',
  additionalProperties: false,
  properties: { ...settings, status: { enum: ['active', 'disabled'] } },
} as const

/** A quota. */
export const quotaBody = {
  type: 'object',
  additionalProperties: false,
  required: [
    ...(['id', 'name', 'tenant_id', 'is_platforms', 'scope', 'per', 'metric', 'limit', 'window', 'mode'] as const),
    ...(['estimate', 'on_exceed', 'warn_at', 'status', 'version', 'created_at', 'updated_at'] as const),
  ],
  properties: {
    id: text,
    name: text,
    metric: text,
    limit: text,
    mode: text,
    estimate: text,
    status: text,
    tenant_id: { type: ['integer', 'null'] },
    is_platforms: { type: 'boolean', description: 'The platform set it: the tenant sees it and cannot change it' },
    scope: {
      type: 'object',
      properties: {
        agent_id: maybe,
        model_id: maybe,
        key_id: maybe,
        user_id: { type: ['integer', 'null'] },
        provider_id: maybe,
      },
    },
    per: { type: 'array', items: text },
    window: { type: 'object', properties: { kind: text, unit: text, tz: text, seconds: integer } },
    on_exceed: {
      type: 'object',
      properties: { action: text, min_output_tokens: integer, else: text, fallback_model: maybe },
    },
    warn_at: { type: 'array', items: { type: 'number' } },
    version: integer,
    created_at: text,
    updated_at: text,
  },
} as const

/** A quota in a list. */
export const quotaRow = {
  ...quotaBody,
  properties: {
    ...quotaBody.properties,
    ratio: {
      type: 'number',
      description:
        'The share of the limit that is used of the fullest bucket, in the present window; for whoever may see how much is used',
    },
  },
} as const

/** A page of quotas. */
export const quotaPage = pageOf(quotaRow)

/** Which quotas a list shows. */
export const quotaQuery = {
  type: 'object',
  properties: {
    ...pageQuery,
    metric: { ...metric, description: 'Only quotas of this metric' },
    status: { enum: ['active', 'disabled'], description: 'Only this status' },
    tenant_id: { type: 'integer', minimum: 0, maximum: 2_147_483_647, description: '0 is the platform' },
    key_id: { type: 'string', maxLength: 100, description: 'Only quotas of this API key' },
    user_id: {
      type: 'integer',
      minimum: 1,
      maximum: 2_147_483_647,
      description: 'Only those of the user with this id',
    },
  },
} as const

/** The quota a path names. */
export const quotaParams = {
  type: 'object',
  required: ['quota_id'],
  properties: { quota_id: { type: 'string', minLength: 1, maxLength: 100 } },
} as const
