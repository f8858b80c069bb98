import { newProvider } from '../providers/schemas.ts'

/** How far a test goes; each includes those before, and from `chat` on a few tokens are spent. */
export const testLevels = ['reach', 'auth', 'models', 'chat', 'stream', 'tools'] as const

const { type, plugin, tenant_id, base_url, settings, credentials, headers, timeouts } = newProvider.properties
const level = { enum: testLevels, description: 'models unless said otherwise, which costs nothing' } as const
const named = { type: 'string', minLength: 1, maxLength: 200 } as const
const model = { ...named, description: 'As the vendor names it; from `chat` on' } as const

/** A test of a provider as it is, or as it would be with a draft. */
export const testWish = {
  type: 'object',
  additionalProperties: false,
  properties: {
    ...{ level, model },
    draft: {
      type: 'object',
      additionalProperties: false,
      properties: { base_url, settings, credentials, headers, timeouts },
      description: 'Fields that are not saved; with another address its secrets are given here too',
    },
  },
} as const

/** A test of a provider that is not there yet. */
export const newTestWish = {
  type: 'object',
  additionalProperties: false,
  required: ['provider'],
  properties: {
    ...{ level, model },
    provider: {
      type: 'object',
      additionalProperties: false,
      required: ['type'],
      properties: { type, plugin, tenant_id, base_url, settings, credentials, headers, timeouts },
      description: 'As it would be made',
    },
  },
  examples: [{ provider: { type: 'demo' } }],
} as const

/** What a test found; that it found faults is no error. */
export const testResult = {
  type: 'object',
  additionalProperties: false,
  required: ['ok', 'level', 'tested_at', 'cost', 'checks', 'models'],
  properties: {
    ok: { type: 'boolean' },
    level: { enum: testLevels, description: 'The last one that was tried' },
    tested_at: { type: 'string' },
    cost: { type: 'string' },
    checks: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['name', 'ok'],
        properties: {
          name: { type: 'string' },
          ok: { type: 'boolean' },
          ms: { type: 'integer' },
          count: { type: 'integer' },
          ttft_ms: { type: 'integer' },
          detail: { type: 'string' },
        },
      },
    },
    models: { type: 'array', items: { type: 'string' } },
  },
} as const
