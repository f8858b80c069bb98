import { jitterOf, latestTime, nextTime, type CronPlan } from './cron-times.ts'
import type { ScheduleKey } from './schedule-run.ts'

/** What was missed while no host ran is made up for, once, when it is not longer ago. */
const graceMs = 60 * 60 * 1000

/** When a schedule is due, as its row has it. */
export interface DueTimes extends CronPlan, ScheduleKey {
  readonly nextRunAt: Date | null
  readonly dueAt: Date | null
  readonly now: Date
}

/** What a row that is due is run for: a time an administrator asked for, or the latest of those that passed, if it is recent. */
export function timeToRun(row: DueTimes): Date | undefined {
  const { nextRunAt: next, dueAt: due, now } = row
  if (next === null || next > now) return due ?? now
  const since = new Date(now.getTime() - graceMs)
  const latest = latestTime(row, next > since ? next : since, now)
  return latest ?? (next >= since ? next : undefined)
}

/** The next time of a row that is due: the one that is planned still, or the first after now. */
export function timesAfter(row: DueTimes): Pick<DueTimes, 'nextRunAt' | 'dueAt'> {
  const { nextRunAt: planned, now } = row
  return timesAt(row, planned !== null && planned > now ? planned : planned && nextTime(row, now))
}

/** The time behind the next one, which is left out. */
export function timesBehind(row: DueTimes): Pick<DueTimes, 'nextRunAt' | 'dueAt'> {
  const { nextRunAt: planned, now } = row
  return timesAt(row, nextTime(row, planned !== null && planned > now ? planned : now))
}

function timesAt(
  { pluginId, schedule, tenantId }: ScheduleKey,
  next: Date | null | undefined,
): Pick<DueTimes, 'nextRunAt' | 'dueAt'> {
  if (!next) return { nextRunAt: null, dueAt: null }
  return { nextRunAt: next, dueAt: new Date(next.getTime() + jitterOf(pluginId, schedule, tenantId)) }
}
