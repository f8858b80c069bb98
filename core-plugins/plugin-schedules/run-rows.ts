import type { Knex } from 'knex'
import type { DueTimes } from './due-times.ts'
import type { RunEnd, ScheduleKey, ScheduleRun } from './schedule-run.ts'

/** Runs that are kept of a schedule and tenant. */
const keptRuns = 50
const mostError = 1_000
const everybody = { tenant: 'all' } as const

/** A schedule of one tenant, locked, with the run that goes on. */
export interface LockedSchedule extends DueTimes {
  /** The job that runs it now; null when none does. */
  readonly jobId: string | null
  readonly runId: string | null
  readonly scheduledAt: Date | null
  readonly attempt: number
  /** Whether the plugin is enabled, and whether it is being removed. */
  readonly enabled: boolean
  readonly removing: boolean
}

/** Columns that a run sets, as they are when none goes on. */
export const atRest = { job_id: null, run_id: null, scheduled_at: null, started_at: null, attempt: 0 } as const

/** The row of a schedule, for a statement on it. */
export function scheduleRow(db: Knex, { pluginId, schedule, tenantId }: ScheduleKey) {
  return db('plugin_schedules').queryContext(everybody).where({ plugin_id: pluginId, schedule, tenant_id: tenantId })
}

/** Keeps a schedule from being changed by others until the transaction ends; undefined when it is gone. */
export async function lockSchedule(trx: Knex.Transaction, key: ScheduleKey): Promise<LockedSchedule | undefined> {
  const { rows } = await trx
    .raw<{ rows: LockedSchedule[] }>(
      `select row.plugin_id as "pluginId", row.schedule, row.tenant_id as "tenantId", row.cron, row.timezone,
              row.next_run_at as "nextRunAt", row.due_at as "dueAt", row.job_id as "jobId", row.run_id as "runId",
              row.scheduled_at as "scheduledAt", row.attempt, now() as now,
              plugins.status = 'enabled' as enabled, plugins.removing
         from plugin_schedules row join plugins on plugins.id = row.plugin_id
        where row.plugin_id = ? and row.schedule = ? and row.tenant_id = ? for update of row`,
      [key.pluginId, key.schedule, key.tenantId],
    )
    .queryContext(everybody)
  return rows[0]
}

/** Keeps how a run ended, and forgets the oldest. */
export async function addRun(trx: Knex.Transaction, run: ScheduleRun, end: RunEnd): Promise<void> {
  const key = { plugin_id: run.pluginId, schedule: run.schedule, tenant_id: run.tenantId }
  const times = { scheduled_at: run.scheduledAt, started_at: run.startedAt, finished_at: trx.fn.now() }
  const { outcome, code = null, error, traceId = null } = end
  const runs = () => trx('plugin_schedule_runs').queryContext(everybody)
  await runs().insert({
    ...key,
    ...times,
    ...{ run_id: run.runId, attempt: run.attempt, outcome, code, trace_id: traceId },
    error: error?.words.slice(0, mostError) ?? null,
    error_said: error?.reason === undefined ? null : JSON.stringify(error),
  })
  const oldest = runs().where(key).orderBy('id', 'desc').offset(keptRuns).limit(1).select('id')
  await runs().where(key).where('id', '<=', oldest).delete()
}
