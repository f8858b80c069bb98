import { currentLocale } from '../../tab/i18n.ts'
import type { Bar } from './bar.ts'

/** A time that is looked at, in buckets of the reader's time zone. */
export interface Period {
  readonly from: string
  readonly to: string
  readonly tz: string
  readonly bucket: '1h' | '1d'
}

/** A part of it with what it adds up to. */
export interface Bucket {
  readonly from: string
  readonly to: string
  readonly results: readonly Readonly<Record<string, unknown>>[]
}

/** The last days, whole ones of the reader's; a single one is shown by the hour. */
export function periodOf(days: number, tz: string, now = new Date()): Period {
  const hour = 3_600_000
  if (days <= 1) {
    const to = new Date(Math.ceil(now.getTime() / hour) * hour)
    return { from: new Date(to.getTime() - 24 * hour).toISOString(), to: to.toISOString(), tz, bucket: '1h' }
  }
  const first = startOfDay(new Date(now.getTime() - (days - 1) * 24 * hour), tz)
  const next = startOfDay(new Date(startOfDay(now, tz).getTime() + 36 * hour), tz)
  return { from: first.toISOString(), to: next.toISOString(), tz, bucket: '1d' }
}

/** When the day of a moment begins in a time zone. */
export function startOfDay(at: Date, timeZone: string): Date {
  const parts = Object.fromEntries(
    new Intl.DateTimeFormat('en-GB', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const since =
    ((parts['hour'] ?? 0) % 24) * 3_600_000 + (parts['minute'] ?? 0) * 60_000 + (parts['second'] ?? 0) * 1000
  const guess = new Date(Math.floor(at.getTime() / 1000) * 1000 - since)
  // Where the clock was set in between, the day began an hour before or after.
  const off = Number(new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', hourCycle: 'h23' }).format(guess))
  if (off === 0) return guess
  return new Date(guess.getTime() + (off > 12 ? 24 - off : -off) * 3_600_000)
}

/** A metric of every bucket as bars. */
export function barsOf(buckets: readonly Bucket[], metric: string, timeZone: string): readonly Bar[] {
  return toBars(buckets, timeZone, ({ results }) => {
    const told = results[0]?.[metric]
    return typeof told === 'string' || typeof told === 'number' ? String(told) : '0'
  })
}

/** A number of every part of a time as bars. */
export function toBars<T extends { readonly from: string; readonly to: string }>(
  buckets: readonly T[],
  timeZone: string,
  numberOf: (bucket: T) => string,
): readonly Bar[] {
  const isHours =
    buckets[0] !== undefined && new Date(buckets[0].to).getTime() - new Date(buckets[0].from).getTime() <= 3_600_000
  const format = new Intl.DateTimeFormat(
    currentLocale(),
    isHours ? { timeZone, hour: '2-digit', minute: '2-digit' } : { timeZone, month: 'short', day: 'numeric' },
  )
  return buckets.map((bucket) => {
    const { from } = bucket
    const exact = numberOf(bucket)
    return { from, label: format.format(new Date(from)), value: Number(exact), exact }
  })
}
