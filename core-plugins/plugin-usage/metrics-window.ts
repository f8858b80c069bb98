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
export function askedHours({ hours, from, to }: Pick<SeriesQuery, 'hours' | 'from' | 'to'>): MetricsWindow {
  if (from === undefined || to === undefined) return lastHours(hours)
  const window = { from: hourOf(Date.parse(from)), to: new Date(to) }
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

function faultOf(field: string, message: string): Error {
  return new ParamsInvalidError({ errors: [{ field, rule: 'period', message }] })
}
