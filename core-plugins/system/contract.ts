/** How one part of the platform is. */
export interface HealthCheck {
  readonly status: 'healthy' | 'unhealthy'
  readonly latency_ms: number
  /** A slug; names no host and no path. */
  readonly error?: 'timeout' | 'unreachable'
}

/** How the platform is. */
export interface HealthResult {
  readonly status: 'healthy' | 'unhealthy'
  readonly timestamp: string
  readonly checks: Readonly<Record<string, HealthCheck>>
}
