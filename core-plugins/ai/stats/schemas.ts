import { groupings } from './groupings.ts'

const text = { type: 'string' } as const
const count = { type: 'integer' } as const
const milliseconds = { type: ['number', 'null'] } as const
const ratio = { type: ['number', 'null'] } as const
const speed = { type: ['number', 'null'] } as const
const counts = { type: 'object', additionalProperties: count } as const

/** What the gateway did lately. */
export const statsBody = {
  type: 'object',
  required: ['window', 'group_by', 'from', 'to', 'totals', 'items', 'retry_budget'],
  properties: {
    window: { enum: ['5m', '1h', '24h'] },
    group_by: { enum: groupings },
    from: text,
    to: text,
    totals: {
      type: 'object',
      required: ['requests', 'success', 'retries', 'failovers', 'client_aborts', 'rejected', 'in_flight'],
      properties: {
        requests: count,
        success: count,
        retries: count,
        failovers: count,
        client_aborts: count,
        rejected: counts,
        in_flight: count,
      },
    },
    items: {
      type: 'array',
      description: 'By target, provider, model or tenant, whose name stands in the member of that name',
      items: {
        type: 'object',
        required: ['requests', 'success_rate', 'errors', 'client_aborts', 'latency_ms', 'ttft_ms', 'tokens_per_s_p50'],
        properties: {
          target: text,
          provider: text,
          model: text,
          tenant: text,
          requests: count,
          success_rate: ratio,
          errors: counts,
          client_aborts: count,
          latency_ms: { type: 'object', properties: { p50: milliseconds, p95: milliseconds, p99: milliseconds } },
          ttft_ms: { type: 'object', properties: { p50: milliseconds, p95: milliseconds } },
          tokens_per_s_p50: speed,
          key: text,
          breaker: { enum: ['closed', 'open', 'half_open'] },
          in_flight: count,
          cooldown_until: { type: ['string', 'null'] },
          weight: { type: 'number' },
          effective_weight: { type: 'number' },
        },
      },
    },
    retry_budget: {
      type: 'object',
      required: ['ratio', 'limit'],
      properties: { ratio: { type: 'number' }, limit: { type: 'number' } },
    },
  },
} as const
