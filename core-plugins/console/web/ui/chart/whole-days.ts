const hour = 3_600_000
const day = 24 * hour

/** When the last days begin, today with them, and when the next one does, in a time zone. */
export function wholeDays(days: number, timeZone: string, now: Date): { readonly first: Date; readonly next: Date } {
  const today = startOfDay(now, timeZone).getTime()
  // From midday to midday: where the clock is set, a day is longer or shorter.
  const first = startOfDay(new Date(today - (days - 1.5) * day), timeZone)
  return { first, next: startOfDay(new Date(today + 1.5 * day), timeZone) }
}

/** When the day of a moment begins in a time zone. */
function startOfDay(at: Date, timeZone: string): Date {
  const guess = new Date(at.getTime() - sinceMidnight(at, timeZone))
  // Where the clock was set in between, the day began before or after.
  const off = sinceMidnight(guess, timeZone)
  return new Date(guess.getTime() + (off > day / 2 ? day - off : -off))
}

/** What the clock of a time zone shows, in milliseconds. */
function sinceMidnight(at: Date, timeZone: string): number {
  const parts = Object.fromEntries(
    new Intl.DateTimeFormat('en-GB', { timeZone, timeStyle: 'medium', hourCycle: 'h23' })
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const seconds = ((parts['hour'] ?? 0) * 60 + (parts['minute'] ?? 0)) * 60 + (parts['second'] ?? 0)
  return seconds * 1000 + at.getMilliseconds()
}
