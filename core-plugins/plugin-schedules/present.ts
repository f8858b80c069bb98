import type { Said, TextTeller } from '#kernel'
import type { Schedule } from '#sandbox'

/** A schedule of one tenant (0 = the platform) as it is stored, with its last run as JSON. */
export interface ScheduleRow {
  readonly schedule: string
  readonly tenant_id: number
  readonly timezone: string
  readonly next_run_at: Date | null
  readonly run_id: string | null
  readonly consecutive_failures: number
  readonly skipped: number
  readonly last_run: ScheduleRunRow | null
}

/** A run that ended, as it is stored; times are texts where the row came as JSON. */
export interface ScheduleRunRow {
  readonly id: string
  readonly run_id: string
  readonly tenant_id: number
  readonly attempt: number
  readonly scheduled_at: Date | string
  readonly started_at: Date | string
  readonly finished_at: Date | string
  readonly outcome: string
  readonly code: number | null
  readonly error: string | null
  readonly error_said: Said | null
  readonly trace_id: string | null
}

/** Who reads, and who tells it in the own language. */
interface Reader {
  readonly teller: TextTeller
  readonly locale: string
}

/** A schedule of a manifest with what its rows say together: the earliest next run, the latest last one. */
export function presentSchedule(
  { id, cron, timezone = 'UTC', perTenant = false }: Schedule,
  rows: readonly ScheduleRow[],
  reader: Reader,
) {
  const next = rows.flatMap(({ next_run_at: at }) => (at ? [at.getTime()] : []))
  const last = rows.flatMap(({ last_run: run }) => (run ? [run] : [])).sort((a, b) => Number(b.id) - Number(a.id))[0]
  const sum = (count: (row: ScheduleRow) => number) => rows.reduce((total, row) => total + count(row), 0)
  return {
    id,
    cron,
    timezone,
    per_tenant: perTenant,
    next_run_at: next.length > 0 ? new Date(Math.min(...next)).toISOString() : null,
    planned: next.length,
    running: sum((row) => (row.run_id === null ? 0 : 1)),
    skipped: sum((row) => row.skipped),
    consecutive_failures: Math.max(0, ...rows.map((row) => row.consecutive_failures)),
    last_run: last ? presentRun(last, reader) : null,
  }
}

/** A run that ended. */
export function presentRun(run: ScheduleRunRow, { teller, locale }: Reader) {
  const [scheduled, started, finished] = [run.scheduled_at, run.started_at, run.finished_at].map((at) => new Date(at))
  return {
    id: run.id.toString(),
    run_id: run.run_id,
    tenant_id: run.tenant_id === 0 ? null : run.tenant_id,
    attempt: run.attempt,
    scheduled_at: scheduled?.toISOString(),
    started_at: started?.toISOString(),
    finished_at: finished?.toISOString(),
    duration_ms: Number(finished) - Number(started),
    outcome: run.outcome,
    code: run.code,
    error: teller.tellKept(run.error, run.error_said, locale),
    trace_id: run.trace_id,
  }
}
