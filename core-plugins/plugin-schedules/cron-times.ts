import { createHash } from 'node:crypto'
import { Cron } from 'croner'

/** What times follow from: five fields, read in an IANA time zone. */
export interface CronPlan {
  readonly cron: string
  readonly timezone: string
}

const fieldEnds = [59, 23, 31, 12, 7]
const mostJitterMilliseconds = 5_000
const plansKept = 1_000
/** Undefined for a plan whose time never comes: to find that out again takes long. */
const plans = new Map<string, Cron | undefined>()

/**
 * The first time after a moment, or undefined where there is none, such as on February 30. Where clocks go forward, a fixed
 * time that is left out comes at the moment of the change; where they go back, a fixed time comes once, at its first
 * occurrence. Steps, ranges and lists of hours follow the elapsed time: nothing of theirs comes in the gap, and both in the
 * repeated hour.
 */
export function nextTime(plan: CronPlan, after: Date): Date | undefined {
  return compiled(plan)?.nextRun(after) ?? undefined
}

/** The first times of many plans after one moment; for those that are alike it is found once, because thousands of tenants have the same. */
export function nextTimes(wanted: readonly CronPlan[], after: Date): readonly (Date | undefined)[] {
  const known = new Map<string, Date | undefined>()
  return wanted.map((plan) => {
    const key = keyOf(plan)
    if (!known.has(key)) known.set(key, nextTime(plan, after))
    return known.get(key)
  })
}

/** The latest time between two moments, the second one included. */
export function latestTime(plan: CronPlan, after: Date, until: Date): Date | undefined {
  const latest = compiled(plan)?.previousRuns(1, new Date(until.getTime() + 1))[0]
  return latest && latest > after ? latest : undefined
}

/** How much later than its time a run begins, in milliseconds below 5,000: always the same for one schedule and tenant, so that not all begin at once. */
export function jitterOf(plugin: number, schedule: string, tenantId: number): number {
  const digest = createHash('sha256').update(`${plugin}/${schedule}/${tenantId}`).digest()
  return digest.readUInt32BE() % mostJitterMilliseconds
}

function compiled(cronPlan: CronPlan): Cron | undefined {
  const { cron, timezone } = cronPlan
  const key = keyOf(cronPlan)
  if (plans.has(key)) return plans.get(key)
  // Compiled once for thousands of tenants; which ones are forgotten does not matter.
  if (plans.size >= plansKept) plans.clear()
  const made = new Cron(spelledOut(cron), { timezone, mode: '5-part', paused: true })
  const plan = made.nextRun() ? made : undefined
  plans.set(key, plan)
  return plan
}

/** Croner wants the end of a range with a step; a manifest may leave it out. */
function spelledOut(cron: string): string {
  return cron
    .split(' ')
    .map((field, index) => field.replaceAll(/(?<![-\d])(\d+)\/(\d+)/g, `$1-${fieldEnds[index] ?? ''}/$2`))
    .join(' ')
}

function keyOf({ cron, timezone }: CronPlan): string {
  return `${cron}|${timezone}`
}
