import type { GatewaySettings } from '../stored.ts'
import type { StoredTimeouts } from '../tables.ts'
import type { CatalogueGateway } from './types.ts'

/** Settings as calls go by them. */
export function gatewayOf({ enabled, ...settings }: GatewaySettings): CatalogueGateway {
  const { default_strategy: defaultStrategy, retry, breaker, timeouts, stream, logging } = settings
  const [shortest = 0, longest = 0] = retry.backoff_ms
  return {
    enabled,
    defaultStrategy,
    retry: {
      maxAttempts: retry.max_attempts,
      on: retry.on,
      backoffMs: [shortest, longest],
      budgetRatio: retry.budget_ratio,
      budgetMinPerS: retry.budget_min_per_s,
    },
    breaker: {
      windowS: breaker.window_s,
      minRequests: breaker.min_requests,
      errorRate: breaker.error_rate,
      consecutive: breaker.consecutive,
      openS: breaker.open_s,
      openMaxS: breaker.open_max_s,
      halfOpenProbes: breaker.half_open_probes,
      closeAfter: breaker.close_after,
      slowStartS: breaker.slow_start_s,
      panic: breaker.panic,
    },
    timeouts: {
      connectMs: timeouts.connect_ms,
      firstTokenMs: timeouts.first_token_ms,
      idleMs: timeouts.idle_ms,
      totalMs: timeouts.total_ms,
    },
    stream: {
      failoverBeforeFirstToken: stream.failover_before_first_token,
      earlyCommitAfterMs: stream.early_commit_after_ms,
      heartbeatS: stream.heartbeat_s,
      drainMs: stream.drain_ms,
    },
    guardrails: settings.guardrails.map(({ plugin, guardrail, phase, mode, on_error, timeout_ms }) => {
      return { plugin, guardrail, phase, mode, onError: on_error, timeoutMs: timeout_ms }
    }),
    hasSurfaces: settings.openai_compat.enabled,
    hasAgents: settings.openai_compat.agents_as_models,
    payloads: logging.payloads,
    redacts: logging.redact,
    retentionDays: logging.retention_days,
  }
}

/** The waits that a provider says. */
export function timeoutsOf({ connect_ms, first_token_ms, idle_ms, total_ms }: StoredTimeouts) {
  return {
    ...(connect_ms !== undefined && { connectMs: connect_ms }),
    ...(first_token_ms !== undefined && { firstTokenMs: first_token_ms }),
    ...(idle_ms !== undefined && { idleMs: idle_ms }),
    ...(total_ms !== undefined && { totalMs: total_ms }),
  }
}
