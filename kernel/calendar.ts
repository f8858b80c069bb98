/** Units of the calendar. */
export type CalendarUnit = 'minute' | 'hour' | 'day' | 'week' | 'month'

/** Half open: the end is the next one's start. */
interface CalendarWindow {
  readonly from: Date
  readonly to: Date
}

const dayMs = 86_400_000
const formats = new Map<string, Intl.DateTimeFormat>()

/** What clocks show, as if it were UTC. */
type WallTime = number

/** The unit of the calendar that a moment lies in, in a time zone: days of 23 and 25 hours where clocks are changed. Weeks begin on Monday. */
export function calendarWindow(unit: CalendarUnit, tz: string, at: Date): CalendarWindow {
  if (unit === 'minute' || unit === 'hour') return shortWindow(unit, tz, at)
  const start = floor(wallTime(at.getTime(), tz), unit)
  return { from: momentOf(start, tz), to: momentOf(next(start, unit), tz) }
}

/** The moments at which units begin, from the one that `from` lies in to the first that is not before `to`. */
export function calendarSteps(unit: CalendarUnit, tz: string, from: Date, to: Date): readonly Date[] {
  const steps = [calendarWindow(unit, tz, from).from]
  for (let last = steps[0]!; last < to; steps.push(last)) last = calendarWindow(unit, tz, last).to
  return steps
}

/** Within hours clocks are not changed, but time zones may be half an hour apart. */
function shortWindow(unit: 'minute' | 'hour', tz: string, at: Date): CalendarWindow {
  const length = unit === 'minute' ? 60_000 : 3_600_000
  const time = at.getTime()
  const offset = wallTime(time, tz) - Math.floor(time / 1000) * 1000
  const from = Math.floor((time + offset) / length) * length - offset
  return { from: new Date(from), to: new Date(from + length) }
}

function floor(wall: WallTime, unit: 'day' | 'week' | 'month'): WallTime {
  const day = Math.floor(wall / dayMs) * dayMs
  if (unit === 'day') return day
  const date = new Date(day)
  if (unit === 'week') return day - ((date.getUTCDay() + 6) % 7) * dayMs
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1)
}

function next(start: WallTime, unit: 'day' | 'week' | 'month'): WallTime {
  if (unit !== 'month') return start + (unit === 'day' ? 1 : 7) * dayMs
  const date = new Date(start)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)
}

/** When clocks show this for the first time, or, where they leave it out, the moment at which they jump over it. */
function momentOf(wall: WallTime, tz: string): Date {
  const candidates = [wall - dayMs, wall + dayMs].map((near) => wall - (wallTime(near, tz) - near))
  const shown = candidates.filter((moment) => wallTime(moment, tz) === wall)
  return new Date(shown.length > 0 ? Math.min(...shown) : candidates[0]!)
}

function wallTime(moment: number, tz: string): WallTime {
  if (tz === 'UTC') return Math.floor(moment / 1000) * 1000
  const parts: Record<string, number> = {}
  for (const { type, value } of formatOf(tz).formatToParts(moment)) parts[type] = Number(value)
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
  return Date.UTC(year, month - 1, day, hour, minute, second)
}

function formatOf(tz: string): Intl.DateTimeFormat {
  const known = formats.get(tz)
  if (known) return known
  const numeric = 'numeric'
  const made = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone: tz, hourCycle: 'h23', calendar: 'gregory' },
    ...{ year: numeric, month: numeric, day: numeric, hour: numeric, minute: numeric, second: numeric },
  })
  formats.set(tz, made)
  return made
}
