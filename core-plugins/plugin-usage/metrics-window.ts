import { calendarSteps, ParamsInvalidError } from '#kernel'
import { hourOf } from './pending-usage.ts'

const hourMilliseconds = 60 * 60 * 1000
/** 31 days, of which one may have 25 hours. */
const most = (31 * 24 + 1) * hourMilliseconds

/** The hours that figures are of: from the beginning of the first to now, or to the named end. */
export interface MetricsWindow {
  readonly from: Date
  readonly to: Date
  readonly hours: number
}

/** Which time is asked for, and in which parts. */
export interface SeriesQuery {
  readonly hours: number
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly bucket: '1h' | '1d'
  readonly tz: string
}

/** The last so many hours. */
export function lastHours(hours: number): MetricsWindow {
  const now = Date.now()
  return { from: hourOf(now - hours * hourMilliseconds), to: new Date(now), hours }
}

/** The hours of the period that is named, or the last ones; throws 422/4221 for one that is too long or ends before it begins. */
export function askedHours({ hours, from, to, bucket }: Omit<SeriesQuery, 'tz'>): MetricsWindow {
  if (from === undefined || to === undefined) return lastHours(hours)
  const window = { from: firstHour(Date.parse(from), Date.parse(to), bucket), to: new Date(to) }
  const length = window.to.getTime() - window.from.getTime()
  if (length <= 0) throw faultOf('to', 'is not after `from`')
  if (length > most) throw faultOf('from', 'is more than 31 days before `to`')
  return { ...window, hours: Math.ceil(length / hourMilliseconds) }
}

/** Where the parts of a time begin, and where the last one ends. */
export function edgesOf(
  { from, to }: MetricsWindow,
  { bucket, tz }: Pick<SeriesQuery, 'bucket' | 'tz'>,
): readonly Date[] {
  const steps = bucket === '1h' ? calendarSteps('hour', 'UTC', from, to) : calendarSteps('day', tz, from, to)
  return [from, ...steps.filter((step) => step > from && step < to), to]
}

/** The hour of the beginning; of days, which begin at half past where clocks are half an hour apart, the first that begins in them. */
function firstHour(from: number, to: number, bucket: SeriesQuery['bucket']): Date {
  const next = hourOf(from + hourMilliseconds - 1)
  return bucket === '1d' && next.getTime() < to ? next : hourOf(from)
}

function faultOf(field: string, message: string): Error {
  return new ParamsInvalidError({ errors: [{ field, rule: 'period', message }] })
}
