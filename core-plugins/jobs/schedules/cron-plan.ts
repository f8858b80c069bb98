import { Cron } from 'croner'
import type { JobTimes } from '../contract.ts'

/** The next time after a moment; undefined when there is none. Throws for what is no cron expression or no time zone. */
export function nextTime(plan: JobTimes, moment: Date): Date | undefined {
  return compile(plan).nextRun(moment) ?? undefined
}

/** The latest time until a moment, itself included. */
export function latestTime(plan: JobTimes, moment: Date): Date | undefined {
  return compile(plan).previousRuns(1, new Date(moment.getTime() + 1))[0]
}

/** Whether there is a time at all. */
export function everComes(plan: JobTimes): boolean {
  try {
    return compile(plan).nextRun() !== null
  } catch {
    return false
  }
}

function compile({ cron, timezone }: JobTimes): Cron {
  return new Cron(cron, { timezone, mode: '5-part', paused: true })
}
