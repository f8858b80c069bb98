import { currentLocale } from '../../tab/i18n.ts'
import type { Amount, Bar, Part } from './bar.ts'
import { dayAt, endOf, startOf } from './days.ts'
import type { Stretch } from './shown-time.ts'
import { wholeDays } from './whole-days.ts'

const hour = 3_600_000
const day = 24 * hour

/** A time that is looked at, in buckets of the reader's time zone. */
export interface Period {
  readonly from: string
  readonly to: string
  readonly tz: string
  readonly bucket: '1h' | '1d' | '1mo'
}

/** A part of it with what it adds up to. */
export interface Bucket {
  readonly from: string
  readonly to: string
  readonly results: readonly Readonly<Record<string, unknown>>[]
}

/** The last days, whole ones of the reader's; a single one is shown by the hour. */
export function periodOf(days: number, tz: string, now = new Date()): Period {
  if (days <= 1) {
    const to = new Date(Math.ceil(now.getTime() / hour) * hour)
    return { from: new Date(to.getTime() - 24 * hour).toISOString(), to: to.toISOString(), tz, bucket: '1h' }
  }
  const { first, next } = wholeDays(days, tz, now)
  return { from: first.toISOString(), to: next.toISOString(), tz, bucket: '1d' }
}

/** So many days are shown by the month. */
const manyDays = 400

/** From the first of two days of date fields to the last, both whole ones of the reader's; a single one is shown by the hour. */
export function daysBetween(first: string, last: string, tz: string): Period {
  const [from, to] = first <= last ? [first, last] : [last, first]
  const [start, end] = [startOf(from, tz), endOf(to, tz)]
  return parted({ from: start.toISOString(), to: end.toISOString() }, tz)
}

/** A time of any length, by the hour where it is not longer than a day. */
export function parted({ from, to }: Stretch, tz: string): Period {
  const length = Date.parse(to) - Date.parse(from)
  // A day on which the clock is set back has an hour more.
  const bucket = length <= 25 * hour ? '1h' : length > manyDays * day ? '1mo' : '1d'
  return { from, to, tz, bucket }
}

/** This month of the reader's, as far as it is there. */
export function thisMonth(tz: string, now = new Date()): Period {
  const today = dayAt(now.getTime(), tz)
  return { ...daysBetween(`${today.slice(0, 8)}01`, today, tz), bucket: '1d' }
}

/** What the buckets of a time are called. */
export function partsOf(buckets: readonly Stretch[], timeZone: string, now = Date.now()): readonly Part[] {
  return toBars(buckets, timeZone, () => '0').map(({ from, to, label }) => {
    return { from, to, label, isOpen: Date.parse(to) > now }
  })
}

/** A metric of every bucket. */
export function amountsOf(buckets: readonly Bucket[], metric: string): readonly Amount[] {
  return buckets.map(({ results }) => {
    const told = results[0]?.[metric]
    const exact = typeof told === 'string' || typeof told === 'number' ? String(told) : '0'
    return { value: Number(exact), exact }
  })
}

/** A number of every part of a time as bars. */
export function toBars<T extends { readonly from: string; readonly to: string }>(
  buckets: readonly T[],
  timeZone: string,
  numberOf: (bucket: T) => string,
): readonly Bar[] {
  // The first one and the last may be parts of what the others are.
  const longest = Math.max(...buckets.map(({ from, to }) => Date.parse(to) - Date.parse(from)))
  const format = new Intl.DateTimeFormat(currentLocale(), { timeZone, ...shownOf(longest) })
  return buckets.map((bucket) => {
    const { from, to } = bucket
    const exact = numberOf(bucket)
    return { from, to, label: format.format(new Date(from)), value: Number(exact), exact }
  })
}

/** What is said of when a part of a time begins that is so long. */
function shownOf(length: number): Intl.DateTimeFormatOptions {
  if (length <= hour) return { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }
  return length > 2 * day ? { year: 'numeric', month: 'short', day: 'numeric' } : { month: 'short', day: 'numeric' }
}
