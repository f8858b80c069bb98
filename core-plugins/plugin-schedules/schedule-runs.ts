import { randomUUID } from 'node:crypto'
import type { Knex } from 'knex'
import type { LostJob, RunningJob } from '../jobs/contract.ts'
import { timesAfter, timesBehind, timeToRun } from './due-times.ts'
import { addRun, atRest, lockSchedule, scheduleRow, type LockedSchedule } from './run-rows.ts'
import type { RunPayload, ScheduleJobs } from './schedule-jobs.ts'
import type { RunEnd, ScheduleKey, ScheduleRun } from './schedule-run.ts'
import { texts } from './texts/texts.ts'

/** So often a run is begun in all, with its hosts dying or its sandbox being restarted under it. */
export const attempts = 3

/** A job that is about a schedule. */
type RunJob = RunningJob<RunPayload>

/**
 * Begins and ends runs, in the name of the job that has a schedule run: none while the one before still goes on. A job only says
 * that it is time to look; the row knows what is due, and when somebody looks again.
 */
export class ScheduleRuns {
  readonly #db: Knex
  readonly #jobs: ScheduleJobs

  constructor(db: Knex, jobs: ScheduleJobs) {
    this.#db = db
    this.#jobs = jobs
  }

  /** Begins the run of a schedule that is due, or moves it on: a run still going, a time too long ago. */
  begin(job: RunJob): Promise<ScheduleRun | 'nothing' | 'later'> {
    return this.#db.transaction(async (trx) => {
      await job.hold(trx)
      const row = await lockSchedule(trx, keyOf(job))
      if (row === undefined || row.removing) return 'nothing'
      if (!row.enabled) return 'later'
      if (row.jobId === job.id) return this.#repeat(trx, row)
      if (row.dueAt !== null && row.dueAt <= row.now) return this.#beginDue(trx, row, job.id)
      await this.#wake(trx, row)
      return 'nothing'
    })
  }

  /** The run ended; rejects when another host has it. */
  async finish(job: RunJob, run: ScheduleRun, end: RunEnd): Promise<void> {
    await this.#db.transaction(async (trx) => {
      await job.hold(trx)
      await this.#end(trx, run, end, job.id)
    })
  }

  /** The run is left out: nobody wants it any more. */
  async drop(job: RunJob): Promise<void> {
    await this.#db.transaction(async (trx) => {
      await job.hold(trx)
      await leaveOut(trx, [job.id])
    })
  }

  /** What follows when somebody cancels a job: its run is lost, or its time is left out; those after it come. */
  async lose(trx: Knex.Transaction, job: LostJob<RunPayload>): Promise<void> {
    const row = await lockSchedule(trx, keyOf(job))
    if (row === undefined) return
    if (row.jobId === job.id) {
      await this.#end(trx, runOf(row), { outcome: 'lost', error: texts.keep('notice.run_cancelled') }, job.id)
    } else if (row.dueAt !== null) {
      await this.#moveOn(trx, row, timesBehind(row), { skipped: trx.raw('skipped + 1') })
    }
  }

  async #beginDue(trx: Knex.Transaction, row: LockedSchedule, jobId: string): Promise<ScheduleRun | 'nothing'> {
    if (row.runId !== null) {
      await this.#moveOn(trx, row, timesAfter(row), { skipped: trx.raw('skipped + 1') })
      return 'nothing'
    }
    const scheduledAt = timeToRun(row)
    const run = { ...runOf(row), runId: randomUUID(), scheduledAt: scheduledAt ?? row.nextRunAt ?? row.now }
    if (scheduledAt === undefined) {
      await this.#moveOn(trx, row, timesAfter(row), {})
      await addRun(trx, { ...run, attempt: 0 }, { outcome: 'missed' })
      return 'nothing'
    }
    await this.#moveOn(trx, row, timesAfter(row), {
      ...{ job_id: jobId, run_id: run.runId, scheduled_at: scheduledAt, started_at: row.now, attempt: 1 },
    })
    return { ...run, attempt: 1 }
  }

  /** The host that had it died, or gave it back. */
  async #repeat(trx: Knex.Transaction, row: LockedSchedule): Promise<ScheduleRun | 'nothing'> {
    if (row.attempt < attempts) {
      const attempt = row.attempt + 1
      await scheduleRow(trx, row).update({ attempt, started_at: row.now })
      return { ...runOf(row), attempt }
    }
    await this.#end(trx, runOf(row), { outcome: 'lost', error: texts.keep('notice.run_hosts_died') }, row.jobId)
    return 'nothing'
  }

  async #end(trx: Knex.Transaction, run: ScheduleRun, end: RunEnd, jobId: string | null): Promise<void> {
    const failures = end.outcome === 'succeeded' ? 0 : trx.raw('consecutive_failures + 1')
    const ended = await scheduleRow(trx, run)
      .where({ job_id: jobId, run_id: run.runId })
      .update({ ...atRest, consecutive_failures: failures })
    if (ended > 0) await addRun(trx, run, end)
  }

  async #moveOn(
    trx: Knex.Transaction,
    row: LockedSchedule,
    times: Pick<LockedSchedule, 'nextRunAt' | 'dueAt'>,
    more: object,
  ): Promise<void> {
    await scheduleRow(trx, row).update({ next_run_at: times.nextRunAt, due_at: times.dueAt, ...more })
    await this.#wake(trx, { ...row, ...times })
  }

  async #wake(trx: Knex.Transaction, { pluginId, schedule, tenantId, dueAt, now }: LockedSchedule): Promise<void> {
    if (dueAt === null) return
    await this.#jobs.wake(trx, [{ pluginId, schedule, tenantId, delay: dueAt.getTime() - now.getTime() }])
  }
}

/** Puts the schedules that these jobs run at rest, as if their times had not come. */
export async function leaveOut(trx: Knex.Transaction, jobIds: readonly string[]): Promise<void> {
  await trx('plugin_schedules')
    .queryContext({ tenant: 'all' })
    .whereIn('job_id', [...jobIds])
    .update({ ...atRest, skipped: trx.raw('skipped + 1') })
}

function keyOf({ payload, tenantId }: Pick<RunJob, 'payload' | 'tenantId'>): ScheduleKey {
  return { pluginId: payload.pluginId, schedule: payload.schedule, tenantId }
}

function runOf(row: LockedSchedule): ScheduleRun {
  const { pluginId, schedule, tenantId, runId, scheduledAt, attempt, now } = row
  return {
    ...{ pluginId, schedule, tenantId, runId: runId ?? '', attempt },
    ...{ scheduledAt: scheduledAt ?? now, startedAt: now },
  }
}
