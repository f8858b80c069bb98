/** How a provider or a model is, the best first. */
export const healthStates = [
  ...(['healthy', 'degraded', 'cooldown', 'half_open', 'open', 'auth_failed', 'unusable', 'disabled'] as const),
] as const

const text = { type: 'string' } as const
const maybe = { type: ['string', 'null'] } as const
const share = {
  type: ['number', 'null'],
  description: 'Of attempts in the last five minutes that somebody waited for',
} as const
const pace = { type: ['integer', 'null'], description: 'Milliseconds to the first token of streams' } as const
const state = { enum: healthStates } as const

/** How a provider is. */
export const providerHealth = {
  type: 'object',
  additionalProperties: false,
  required: ['state', 'score', 'success_rate_5m', 'ttft_p50_ms', 'breaker', 'cooldown_until', 'last_error'],
  properties: {
    state,
    score: { type: 'number', description: 'What routing goes by, 0 to 1; 1 where nothing is known' },
    success_rate_5m: share,
    ttft_p50_ms: pace,
    breaker: {
      type: ['object', 'null'],
      additionalProperties: false,
      required: ['target', 'kind', 'opened_at', 'next_probe_at', 'reason'],
      properties: {
        target: { ...maybe, description: 'The model at the provider; null of the whole provider' },
        kind: { enum: ['failures', 'tripped', 'drained', 'auth_failed'] },
        ...{ opened_at: text, next_probe_at: text, reason: text },
      },
    },
    cooldown_until: maybe,
    last_error: {
      type: ['object', 'null'],
      additionalProperties: false,
      required: ['at', 'class', 'status'],
      properties: { at: text, class: text, status: { type: 'integer', description: '0 where there was no answer' } },
    },
  },
} as const

/** How a model is. */
export const modelHealth = {
  type: 'object',
  additionalProperties: false,
  required: ['state', 'success_rate_5m', 'ttft_p50_ms'],
  properties: { state, success_rate_5m: share, ttft_p50_ms: pace },
} as const
