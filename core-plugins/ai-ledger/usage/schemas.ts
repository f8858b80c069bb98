import { periodQuery } from '#kernel/schemas'

const text = { type: 'string' } as const
const maybe = { type: ['string', 'null'] } as const
const integer = { type: 'integer' } as const
const maybeInteger = { type: ['integer', 'null'] } as const
const id = { type: 'string', minLength: 1, maxLength: 200 } as const
const number = { type: 'integer', minimum: 0, maximum: 2_147_483_647 } as const
const zone = { type: 'string', format: 'time-zone', maxLength: 64 } as const
const words = { type: 'string', maxLength: 300 } as const

const purpose = {
  enum: ['chat', 'embedding', 'compaction', 'memory', 'routing', 'title', 'guardrail', 'tool', 'test'],
} as const
const filters = {
  ...periodQuery,
  tenant_id: { ...number, description: '0 is the platform' },
  user_id: { ...number, description: 'Only those of the user with this id' },
  key_id: { ...id, description: 'Only what was done with this API key' },
  agent_id: { ...id, description: 'Only those of this agent' },
  model_id: { ...id, description: 'Only calls of this model' },
  model: { ...id, description: 'Only calls of the model with this code' },
  provider_id: { ...id, description: 'Only those of this provider' },
  purpose: { ...purpose, description: 'Only calls for this purpose' },
  tag: { type: 'string', minLength: 1, maxLength: 130, description: 'Calls that have it, such as `team:x`' },
} as const
const rowFilters = {
  ...filters,
  outcome: {
    enum: ['ok', 'client_abort', 'upstream_error', 'truncated', 'blocked', 'denied'],
    description: 'Only calls that ended so',
  },
  request_id: { type: 'string', format: 'uuid', description: 'Only attempts of this request' },
} as const

/** Which rows of the ledger are listed. */
export const usageQuery = {
  type: 'object',
  properties: {
    ...rowFilters,
    cursor: { type: 'string', maxLength: 100, description: 'Where the last part ended: its `next_cursor`' },
    limit: { type: 'integer', minimum: 1, maximum: 200, description: 'How many at the most' },
  },
} as const

/** Which rows of the ledger are downloaded, and how. */
export const exportQuery = {
  type: 'object',
  properties: {
    ...rowFilters,
    format: { enum: ['csv', 'jsonl', 'focus'], description: 'csv unless given; focus: FOCUS 1.2 as CSV' },
    bom: { type: 'boolean', description: 'A byte order mark before CSV' },
  },
} as const

/** Which figures by time are wanted. */
export const trendQuery = {
  type: 'object',
  properties: {
    ...filters,
    bucket: { enum: ['1m', '1h', '1d', '1mo'], description: '1d unless given' },
    tz: { ...zone, description: 'Time zone of the days, as in the IANA database' },
    group_by: { ...words, description: 'Of tenant, user, key, agent, model, provider, purpose, tag' },
    metrics: { ...words, description: 'Requests, tokens, cost, errors and the median of first tokens unless given' },
    cursor: { type: 'string', maxLength: 100, description: 'Where the last part ended: its `next_cursor`' },
  },
} as const

/** Which costs are wanted. */
export const costQuery = {
  type: 'object',
  properties: {
    ...filters,
    tz: { ...zone, description: 'Time zone of the days, as in the IANA database' },
    group_by: {
      ...words,
      description:
        'Of tenant, user, key, agent, model, provider, purpose, tag (a call counts for each of its tags); model unless given',
    },
    compare: { const: 'previous', description: 'With the same time before' },
    forecast: { type: 'boolean', description: 'What the month comes to' },
    reconcile: { type: 'boolean', description: 'Compare with the ledger however many rows that has' },
  },
} as const

const row = {
  type: 'object',
  properties: {
    id: text,
    request_id: text,
    attempt: integer,
    at: text,
    tenant_id: maybeInteger,
    user_id: maybeInteger,
    key_id: maybe,
    agent_id: maybe,
    conversation_id: maybe,
    purpose: text,
    model_id: text,
    model: text,
    model_version: integer,
    provider_id: text,
    input_tokens: integer,
    cached_input_tokens: integer,
    cache_write_tokens: integer,
    output_tokens: integer,
    reasoning_tokens: integer,
    requests: integer,
    cost: text,
    list_cost: text,
    currency: text,
    usage_source: text,
    outcome: text,
    ttft_ms: maybeInteger,
    duration_ms: integer,
    stream: { type: 'boolean' },
    cached: { type: 'boolean' },
    tool_calls: { type: 'integer', description: '1 for the call of a tool, which is no request' },
    tool_cpu_ms: integer,
    sandbox_ms: { type: 'integer', description: 'CPU time of plugins: tools, providers, routers and guardrails' },
    tags: { type: 'array', items: text },
  },
} as const

/** Rows of the ledger. */
export const usageBody = {
  type: 'object',
  additionalProperties: false,
  required: ['items', 'next_cursor', 'has_more', 'totals'],
  properties: {
    items: { type: 'array', items: row },
    next_cursor: maybe,
    has_more: { type: 'boolean' },
    totals: {
      type: ['object', 'null'],
      description: 'Of all that the filters let through; null where outcome narrows more than two million requests',
      properties: { requests: integer, input_tokens: integer, output_tokens: integer, cost: text, currency: text },
    },
  },
} as const

const group = {
  type: 'object',
  description: 'What was asked for in group_by; null where there is none',
  properties: {
    ...{ tenant: maybeInteger, user: maybeInteger, key: maybe, agent: maybe, model: maybe, provider: maybe },
    ...{ purpose: maybe, tag: maybe },
  },
} as const

/** Those that were asked for in metrics. */
const figures = {
  ...{ requests: integer, errors: integer, estimated: integer, input_tokens: integer, cached_input_tokens: integer },
  ...{ cache_write_tokens: integer, output_tokens: integer, reasoning_tokens: integer, tool_calls: integer },
  ...{ tool_cpu_ms: integer, sandbox_ms: integer, cost: text, list_cost: text, possible_cost: text, saved: text },
  ...{ ttft_p50_ms: maybeInteger, ttft_p95_ms: maybeInteger },
} as const

/** Figures by time. */
export const trendBody = {
  type: 'object',
  additionalProperties: false,
  required: ['buckets', 'next_cursor'],
  properties: {
    buckets: {
      type: 'array',
      items: {
        type: 'object',
        required: ['from', 'to', 'results'],
        properties: {
          from: text,
          to: text,
          results: {
            type: 'array',
            items: { type: 'object', required: ['group'], properties: { group, ...figures } },
          },
        },
      },
    },
    next_cursor: maybe,
  },
} as const

const money = {
  type: 'object',
  required: ['amount', 'currency'],
  properties: { amount: text, list_amount: { ...text, description: 'Before markups' }, currency: text },
} as const

/** Costs. */
export const costBody = {
  type: 'object',
  additionalProperties: false,
  required: ['from', 'to', 'total', 'items', 'savings', 'possible_cost', 'reconciliation'],
  properties: {
    from: text,
    to: text,
    total: money,
    previous: money,
    items: {
      type: 'array',
      items: {
        type: 'object',
        required: ['group', 'amount', 'list_amount', 'share', 'requests', 'tokens', 'change'],
        properties: {
          group,
          amount: text,
          list_amount: text,
          share: { type: 'number' },
          requests: integer,
          tokens: integer,
          change: { type: ['number', 'null'] },
        },
      },
    },
    forecast: {
      type: 'object',
      required: ['period_end', 'amount', 'low', 'high'],
      properties: { period_end: text, amount: text, low: text, high: text },
    },
    savings: { type: 'object', required: ['cached_input'], properties: { cached_input: text } },
    possible_cost: { type: 'string', description: 'What providers may charge for calls that were charged to nobody' },
    reconciliation: {
      type: 'object',
      required: ['ledger_total', 'rollup_total', 'equal'],
      properties: { ledger_total: maybe, rollup_total: text, equal: { type: ['boolean', 'null'] } },
    },
  },
} as const
