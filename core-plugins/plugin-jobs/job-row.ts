import type { Said } from '#kernel'

/** Does the next step of a job. */
export const stepKind = 'plugin_jobs.step'

/** What the queue of jobs knows of it. */
export interface StepPayload {
  readonly pluginId: number
  readonly id: string
}

/** A job of a plugin, as its row has it. */
export interface JobRow {
  readonly id: string
  readonly plugin_id: number
  readonly tenant_id: number
  readonly name: string
  readonly input: unknown
  readonly state: unknown
  readonly steps: number
  readonly attempts: number
  readonly progress: number | null
  readonly text: string | null
  readonly status: 'waiting' | 'running' | 'done' | 'failed' | 'cancelled'
  readonly result: unknown
  readonly error_said: Said | null
  readonly hop: number
  readonly trace_id: string | null
  readonly wall_ms: string
  readonly created_at: Date
}
