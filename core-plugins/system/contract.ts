import { defineService } from '#kernel'

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

/** How a part of this host is, with what only administrators are shown; `degraded` takes nothing from whoever asks the host. */
export interface HealthDetail {
  readonly status: 'healthy' | 'degraded'
  readonly [fact: string]: unknown
}

/** Collects what `GET /admin/health` shows of this host beside the checks. */
export interface HealthDetails {
  /** Asks the source each time, until disposed. */
  register(name: string, source: () => HealthDetail): Disposable
}

/** Collects what `GET /admin/health` shows of this host beside the checks. */
export const healthDetails = defineService<HealthDetails>('system.health_details')

/** One figure with the labels that tell it from the others of its family. */
export interface MetricSample {
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/** Figures of one kind, as Prometheus has them: a counter only grows, a gauge goes up and down. */
export interface MetricFamily {
  /** Begins with `stoa_`, ends in its unit; that of a counter in `_total`. */
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge'
  readonly samples: readonly MetricSample[]
}

/** Collects what `GET /metrics` shows of this process. */
export interface ProcessMetrics {
  /** Asks the source at every scrape, until disposed; what it throws leaves its figures out. */
  register(source: () => readonly MetricFamily[]): Disposable
}

/** Collects what `GET /metrics` shows of this process. */
export const processMetrics = defineService<ProcessMetrics>('system.metrics')
