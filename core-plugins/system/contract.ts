import { defineEvent, defineService } from '#kernel'

/** How one part of the platform is. */
export interface HealthCheck {
  readonly status: 'healthy' | 'unhealthy'
  readonly latency_ms: number
  /** A slug; names no host and no path. */
  readonly error?: 'timeout' | 'unreachable'
}

/** How the platform is, as far as its parts answer. */
export interface HealthResult {
  readonly status: 'healthy' | 'unhealthy'
  readonly timestamp: string
  readonly checks: Readonly<Record<string, HealthCheck>>
}

/**
 * How a part of this host is, with what only administrators are shown. `degraded` takes nothing from whoever asks the host; while a
 * part is `starting`, balancers send nobody here.
 */
export interface HealthDetail {
  readonly status: 'healthy' | 'degraded' | 'starting'
  readonly [fact: string]: unknown
}

/** Collects what `GET /admin/health` shows of this host beside the checks, and whether it still starts. */
export interface HealthDetails {
  /** Asks the source each time, until disposed. */
  register(name: string, source: () => HealthDetail): Disposable
}

/** A part of a host stopped answering, or answers again. */
export const healthChanged = defineEvent<Pick<HealthResult, 'status' | 'checks'>>('system.health_changed')

/** Collects what `GET /admin/health` shows of this host beside the checks. */
export const healthDetails = defineService<HealthDetails>('system.health_details')
