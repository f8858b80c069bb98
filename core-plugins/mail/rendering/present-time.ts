import { isTimeZone, type Locale } from '#kernel'

const moment = /^\d{4}-\d{2}-\d{2}T[\d:.]+(Z|[+-]\d{2}:\d{2})$/

/** A moment as ISO 8601 in a reader's words and zone, with the zone's name; anything else as it is. */
export function presentTime(value: string, locale: Locale, zones: readonly string[]): string {
  const time = Date.parse(value)
  if (!moment.test(value) || Number.isNaN(time)) return value
  const timeZone = [...zones, 'UTC'].find(isTimeZone)
  const form: Intl.DateTimeFormatOptions = {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  }
  return new Intl.DateTimeFormat(locale, { ...form, hour12: false, ...(timeZone && { timeZone }) }).format(time)
}
