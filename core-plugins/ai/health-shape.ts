import type { Principal } from '#kernel'

/** How a provider or a model is, the best first. */
export const healthStates = [
  ...(['healthy', 'degraded', 'cooldown', 'half_open', 'open', 'auth_failed', 'unusable', 'disabled'] as const),
] as const

/** How a provider or a model is. */
export type HealthState = (typeof healthStates)[number]

/** How a provider is, as administrators see it. */
export interface ProviderHealth {
  readonly state: HealthState
  /** What routing goes by: the share of good answers squared, older ones counting less; 1 where nothing is known. */
  readonly score: number
  readonly success_rate_5m: number | null
  readonly ttft_p50_ms: number | null
  readonly breaker: PresentedBreaker | null
  readonly cooldown_until: string | null
  readonly last_error: LastError | null
}

/** How a model is, as administrators see it. */
export type ModelHealth = Pick<ProviderHealth, 'state' | 'success_rate_5m' | 'ttft_p50_ms'>

/** A failure of an attempt. */
export interface LastError {
  /** ISO 8601. */
  readonly at: string
  readonly class: string
  /** The provider's HTTP status; 0 where there was none. */
  readonly status: number
}

/** A breaker that is not closed, as administrators see it. */
export interface PresentedBreaker {
  /** The model at the provider that it is of; null of one that is of the whole provider. */
  readonly target: string | null
  readonly kind: 'failures' | 'tripped' | 'drained' | 'auth_failed'
  readonly opened_at: string
  readonly next_probe_at: string
  readonly reason: string
}

/** A model by where it is called. */
export interface CalledAs {
  readonly id: string
  readonly provider_id: string
  readonly upstream_model: string
}

/** A provider as it is shown. */
export interface ShownProvider {
  readonly id: string
  readonly status: 'enabled' | 'disabled'
  readonly credentials: Readonly<Record<string, { readonly state: string }>>
}

/** Says how providers and models are; figures are of the reader's tenant alone, unless it is the platform. */
export interface HealthReader {
  onProviders<P extends ShownProvider>(
    reader: Pick<Principal, 'scope' | 'tenantId'>,
    providers: readonly P[],
  ): Promise<readonly (P & { readonly health: ProviderHealth })[]>
  onModels<M extends CalledAs>(
    reader: Pick<Principal, 'scope' | 'tenantId'>,
    models: readonly M[],
  ): Promise<readonly (M & { readonly health: ModelHealth })[]>
}

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
