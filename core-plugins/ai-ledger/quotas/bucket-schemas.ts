import { limit } from './schemas.ts'

const text = { type: 'string' } as const
const maybe = { type: ['string', 'null'] } as const
const integer = { type: 'integer' } as const

/** Which buckets of a quota are wanted. */
export const usageQuery = {
  type: 'object',
  properties: {
    bucket: { type: 'string', maxLength: 500, description: 'One of them, such as `user:77`' },
    history: { type: 'integer', minimum: 0, maximum: 400, description: 'As many windows before the present one' },
    cursor: { type: 'string', maxLength: 500, description: 'Where the last part ended: its `next_cursor`' },
    limit: { type: 'integer', minimum: 1, maximum: 200, description: 'How many at the most' },
  },
} as const

const period = { type: 'object', properties: { from: text, to: maybe } } as const

/** How much of a quota is used. */
export const usageBody = {
  type: 'object',
  additionalProperties: false,
  required: ['quota_id', 'limit', 'metric', 'buckets', 'history', 'adjustments', 'next_cursor'],
  properties: {
    quota_id: text,
    limit: text,
    metric: text,
    next_cursor: maybe,
    buckets: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          bucket: text,
          key: { type: 'object', additionalProperties: true },
          window: period,
          used: text,
          held: text,
          remaining: text,
          ratio: { type: 'number' },
          resets_at: maybe,
          blocked: { type: 'boolean' },
          denied_requests: integer,
        },
      },
    },
    history: {
      type: 'array',
      items: {
        type: 'object',
        properties: { bucket: text, from: text, to: maybe, used: text, denied_requests: integer },
      },
    },
    adjustments: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          id: text,
          bucket: text,
          before: text,
          after: text,
          reason: text,
          by: { type: ['integer', 'null'] },
          at: text,
        },
      },
    },
  },
} as const

/** What is used of a bucket, set to another figure. */
export const newReset = {
  type: 'object',
  additionalProperties: false,
  required: ['reason'],
  properties: {
    bucket: {
      type: 'object',
      additionalProperties: false,
      properties: {
        tenant_id: integer,
        user_id: integer,
        key_id: text,
        agent_id: text,
        model_id: text,
        provider_id: text,
      },
    },
    to: { ...limit, description: 'What is used from now on; 0 unless given' },
    reason: { type: 'string', minLength: 1, maxLength: 500 },
  },
} as const

/** What a reset changed. */
export const resetBody = {
  type: 'object',
  additionalProperties: false,
  required: ['before', 'after', 'adjustment_id'],
  properties: { before: text, after: text, adjustment_id: text },
} as const
