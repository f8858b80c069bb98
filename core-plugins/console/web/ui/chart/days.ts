import { wholeDays } from './whole-days.ts'

const hour = 3_600_000

/** The day of a moment in a time zone, as a date field has it; '' for what is no moment. */
export function dayAt(moment: number, timeZone: string): string {
  if (Number.isNaN(moment)) return ''
  const format = { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' } as const
  return new Intl.DateTimeFormat('en-CA', format).format(moment)
}

/** The moment at which a day of a date field begins in a time zone. */
export function startOf(day: string, timeZone: string): Date {
  return wholeDays(1, timeZone, within(day, timeZone)).first
}

/** The moment at which a day of a date field is over in a time zone. */
export function endOf(day: string, timeZone: string): Date {
  return wholeDays(1, timeZone, within(day, timeZone)).next
}

function within(day: string, timeZone: string): Date {
  const noon = Date.parse(`${day}T12:00:00Z`)
  // Far in the east it is the next day by then.
  return new Date([noon, noon - 12 * hour].find((each) => dayAt(each, timeZone) === day) ?? noon)
}
