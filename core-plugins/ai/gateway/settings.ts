import { retriedOn, type GatewaySettings } from '../stored.ts'

/** A part of the settings; what is absent stays. */
export type GatewayChange = {
  readonly [section in keyof GatewaySettings]?: GatewaySettings[section] extends readonly unknown[]
    ? GatewaySettings[section]
    : GatewaySettings[section] extends object
      ? Partial<GatewaySettings[section]>
      : GatewaySettings[section]
}

/** How a gateway works that nobody has changed. */
export const usualSettings: GatewaySettings = {
  enabled: true,
  default_strategy: 'balanced',
  retry: { max_attempts: 3, on: retriedOn, backoff_ms: [100, 1_000], budget_ratio: 0.2, budget_min_per_s: 3 },
  breaker: {
    ...{ window_s: 30, min_requests: 10, error_rate: 0.5, consecutive: 5, open_s: 5, open_max_s: 120 },
    ...{ half_open_probes: 1, close_after: 2, slow_start_s: 30, panic: 'least_bad' },
  },
  timeouts: { connect_ms: 3_000, first_token_ms: 30_000, idle_ms: 30_000, total_ms: 600_000 },
  stream: {
    ...{ failover_before_first_token: true, after_first_token: 'terminate', early_commit_after_ms: 10_000 },
    ...{ on_client_abort: 'cancel', drain_ms: 0, heartbeat_s: 15 },
  },
  guardrails: [],
  openai_compat: { enabled: true, path: '/v1', agents_as_models: true },
  logging: { payloads: 'none', redact: true, retention_days: 30 },
}

/** The settings with a change, section by section. */
export function mergeSettings(before: GatewaySettings, change: GatewayChange): GatewaySettings {
  return {
    enabled: change.enabled ?? before.enabled,
    default_strategy: change.default_strategy ?? before.default_strategy,
    retry: { ...before.retry, ...change.retry },
    breaker: { ...before.breaker, ...change.breaker },
    timeouts: { ...before.timeouts, ...change.timeouts },
    stream: { ...before.stream, ...change.stream },
    guardrails: change.guardrails ?? before.guardrails,
    openai_compat: { ...before.openai_compat, ...change.openai_compat },
    logging: { ...before.logging, ...change.logging },
  }
}
