import { Cron } from 'croner'

/** When backups are made: five fields of cron, read in an IANA time zone. */
export interface Plan {
  readonly cron: string
  readonly timezone: string
}

/** Whether a plan has times at all. */
export function isPlan(plan: Plan): boolean {
  try {
    return compile(plan).nextRun() !== null
  } catch {
    return false
  }
}

/** The latest time of a plan until a moment, itself included. */
export function latestTime(plan: Plan, until: Date): Date | undefined {
  return compile(plan).previousRuns(1, new Date(until.getTime() + 1))[0]
}

function compile({ cron, timezone }: Plan): Cron {
  return new Cron(cron, { timezone, mode: '5-part', paused: true })
}
