import type { Principal } from '#kernel'
import type { healthStates } from './health-schemas.ts'

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
