import type { Said } from '#kernel'
import type { runOutcomes } from './run-outcomes.ts'

/** A schedule of a plugin for one tenant. */
export interface ScheduleKey {
  readonly pluginId: number
  readonly schedule: string
  /** 0 = the platform. */
  readonly tenantId: number
}

/** A run of a schedule that this host has begun. */
export interface ScheduleRun extends ScheduleKey {
  /** The same when a lost run is repeated. */
  readonly runId: string
  readonly scheduledAt: Date
  readonly startedAt: Date
  /** 1 for the first. */
  readonly attempt: number
}

/** How a run ended: `lost` with its hosts at every attempt or because somebody cancelled it, `missed` while none ran. */
export type RunOutcome = (typeof runOutcomes)[number]

/** The end of a run, as it is kept. */
export interface RunEnd {
  readonly outcome: RunOutcome
  /** The platform's code of what went wrong. */
  readonly code?: number
  readonly error?: Said
  readonly traceId?: string
}
