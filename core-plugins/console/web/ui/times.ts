import { currentLocale } from '../tab/i18n.ts'

const steps = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

/** How long ago or ahead a moment is, in the reader's words. */
export function relativeTime(at: string | number, now = Date.now()): string {
  const seconds = (new Date(at).getTime() - now) / 1000
  const format = new Intl.RelativeTimeFormat(currentLocale(), { numeric: 'auto' })
  const [unit, length] = steps.find(([, length]) => Math.abs(seconds) >= length) ?? ['second' as const, 1]
  return format.format(Math.trunc(seconds / length), unit)
}

/** A moment in full, in the reader's language and time zone. */
export function absoluteTime(at: string | number): string {
  return new Intl.DateTimeFormat(currentLocale(), { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(at))
}

/** A moment of the day. */
export function clockTime(at: string | number): string {
  return new Intl.DateTimeFormat(currentLocale(), { hour: '2-digit', minute: '2-digit' }).format(new Date(at))
}

/** A number of bytes in binary units. */
export function byteSize(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB']
  const power = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10))
  const format = new Intl.NumberFormat(currentLocale(), { maximumFractionDigits: power === 0 ? 0 : 1 })
  return `${format.format(bytes / 1024 ** power)} ${units[power]}`
}

/** The day of a moment, in the reader's language and time zone. */
export function dayOf(at: string | number): string {
  return new Intl.DateTimeFormat(currentLocale(), { dateStyle: 'full' }).format(new Date(at))
}

/** How long something took. */
export function duration(milliseconds: number): string {
  const format = new Intl.NumberFormat(currentLocale(), { maximumFractionDigits: 1 })
  if (milliseconds < 1000) return `${format.format(milliseconds)} ms`
  if (milliseconds < 60_000) return `${format.format(milliseconds / 1000)} s`
  return `${format.format(milliseconds / 60_000)} min`
}
