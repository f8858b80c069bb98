import { Cron } from 'croner'

/** Times of day and days, in a time zone. */
export interface CronPlan {
  readonly cron: string
  readonly timezone: string
}

/** The next time after a moment; undefined when there is none. Throws for what is no cron expression or no time zone. */
export function nextTime(plan: CronPlan, moment: Date): Date | undefined {
  return compile(plan).nextRun(moment) ?? undefined
}

/** The latest time until a moment, itself included. */
export function latestTime(plan: CronPlan, moment: Date): Date | undefined {
  return compile(plan).previousRuns(1, new Date(moment.getTime() + 1))[0]
}

function compile({ cron, timezone }: CronPlan): Cron {
  return new Cron(cron, { timezone, mode: '5-part', paused: true })
}
