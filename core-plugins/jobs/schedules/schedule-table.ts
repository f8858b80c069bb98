import type { Knex } from 'knex'
import { DeclarationError } from '#kernel'
import type { JobSchedule } from '../contract.ts'
import { addJobs } from '../queue/add-jobs.ts'
import { everybody } from '../queue/everybody.ts'
import { latestTime, nextTime } from './cron-plan.ts'

const daySeconds = 86_400
const batch = 50

/** Sets a schedule; its next time stays where its times do. */
export async function setSchedule(db: Knex, schedule: JobSchedule): Promise<void> {
  const { name, kind, cron, timezone, payload = null, tenant = 0, key = null, lateSeconds = daySeconds } = schedule
  const now = new Date()
  const next = nextTime(schedule, now)
  if (!next) throw new DeclarationError(`The schedule ${name} never comes: ${cron}, ${timezone}`)
  const first = schedule.makesUp ? (latestTime(schedule, now) ?? next) : next
  await db
    .raw(
      `insert into job_schedules (tenant_id, name, kind, payload, key, cron, timezone, late_seconds, next_at)
       values (?, ?, ?, ?::jsonb, ?, ?, ?, ?, ?)
       on conflict (tenant_id, name) do update
          set kind = excluded.kind, payload = excluded.payload, key = excluded.key, cron = excluded.cron, timezone = excluded.timezone,
              late_seconds = excluded.late_seconds,
              next_at = case when (job_schedules.cron, job_schedules.timezone) = (excluded.cron, excluded.timezone)
                             then job_schedules.next_at else excluded.next_at end`,
      [tenant, name, kind, JSON.stringify(payload), key, cron, timezone, lateSeconds, first],
    )
    .queryContext(everybody)
}

/** Ends a schedule. */
export async function endSchedule(db: Knex, name: string, tenant: number): Promise<void> {
  await db('job_schedules').queryContext(everybody).where({ name, tenant_id: tenant }).delete()
}

/** Queues what is due by the database's clock, each time once over all hosts; answers how many. */
export async function fireSchedules(db: Knex): Promise<number> {
  return db.transaction(async (trx) => {
    const { rows } = await trx
      .raw<{ rows: readonly DueSchedule[] }>(
        `select *, clock_timestamp() as now from job_schedules where next_at <= now()
          order by next_at limit ${batch} for update skip locked`,
      )
      .queryContext(everybody)
    for (const due of rows) await fire(trx, due)
    return rows.length
  })
}

interface DueSchedule {
  readonly tenant_id: number
  readonly name: string
  readonly kind: string
  readonly payload: unknown
  readonly key: string | null
  readonly cron: string
  readonly timezone: string
  readonly late_seconds: number
  readonly next_at: Date
  readonly now: Date
}

async function fire(trx: Knex.Transaction, due: DueSchedule): Promise<void> {
  const { tenant_id: tenant, name, kind, payload, key, now } = due
  // Of several that were missed the latest stands for all.
  const scheduledAt = latestTime(due, now) ?? due.next_at
  const isLate = now.getTime() - scheduledAt.getTime() > due.late_seconds * 1_000
  const dedupe = `schedule:${name}`
  if (!isLate) await addJobs(trx, [{ kind, tenant, payload, ...(key !== null && { key }), dedupe, scheduledAt }])
  await trx('job_schedules')
    .queryContext(everybody)
    .where({ tenant_id: tenant, name })
    .update({ next_at: nextTime(due, now) ?? null })
}
