import type { PluginMetrics } from '#sandbox'

/** What a plugin did and cost on this host, as administrators see it; the dearest tenant first. */
export function presentMetrics({ breaker, tenants, kills, recentFailures }: PluginMetrics) {
  return {
    breaker,
    kills,
    tenants: tenants
      .map(({ tenantId, calls, errors, cpuMs, wallMs, hostCalls }) => ({
        tenant_id: tenantId,
        calls,
        errors,
        cpu_ms: cpuMs,
        wall_ms: wallMs,
        host_calls: hostCalls,
      }))
      .sort((a, b) => b.cpu_ms - a.cpu_ms),
    recent_failures: recentFailures.map(({ at, tenantId, target, code, message, traceId }) => ({
      at: at.toISOString(),
      tenant_id: tenantId,
      target,
      code,
      message,
      trace_id: traceId ?? null,
    })),
  }
}
