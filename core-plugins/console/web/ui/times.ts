import { preferenceOf, readerZone } from '../api/me.ts'
import { currentLocale } from '../tab/i18n.ts'

const steps = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
] as const

type Parts = Partial<Record<Intl.DateTimeFormatPartTypes, string>>

/** By time zone: one takes long to make, and each row of a list asks. */
const formats = new Map<string, Intl.DateTimeFormat>()

/** How long ago or ahead a moment is, in the reader's words. */
export function relativeTime(at: string | number, now = Date.now()): string {
  const seconds = (new Date(at).getTime() - now) / 1000
  const format = new Intl.RelativeTimeFormat(currentLocale(), { numeric: 'auto' })
  const [unit, length] = steps.find(([, length]) => Math.abs(seconds) >= length) ?? ['second' as const, 1]
  return format.format(Math.trunc(seconds / length), unit)
}

/** A moment in full: the day as the reader writes it, 24 hours, in their time zone. */
export function absoluteTime(at: string | number): string {
  const parts = partsOf(at)
  return `${dateText(parts)} ${clockText(parts)}`
}

/** The same moment for everybody. */
export function universalTime(at: string | number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

/** A moment of the day, in the reader's time zone. */
export function clockTime(at: string | number): string {
  return clockText(partsOf(at))
}

/** A number of bytes in binary units. */
export function byteSize(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB']
  const power = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10))
  const format = new Intl.NumberFormat(currentLocale(), { maximumFractionDigits: power === 0 ? 0 : 1 })
  return `${format.format(bytes / 1024 ** power)} ${units[power]}`
}

/** The day of a moment as the reader writes it, in their time zone, with the day of the week. */
export function dayOf(at: string | number): string {
  const options = { weekday: 'long', timeZone: readerZone() } as const
  return `${dateText(partsOf(at))} ${new Intl.DateTimeFormat(currentLocale(), options).format(new Date(at))}`
}

/** How long something took, in the reader's words. */
export function duration(milliseconds: number): string {
  const [unit, length] = units.find(([, length]) => milliseconds >= length) ?? ['millisecond' as const, 1]
  const options = { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 1 } as const
  return new Intl.NumberFormat(currentLocale(), options).format(milliseconds / length)
}

/** A day in the form that the reader chose. */
function dateText({ year = '', month = '', day = '' }: Parts): string {
  const form = preferenceOf('date_format', 'YYYY-MM-DD')
  return form.replace('YYYY', year).replace('MM', month).replace('DD', day)
}

function clockText({ hour, minute }: Parts): string {
  return `${hour}:${minute}`
}

function partsOf(at: string | number): Parts {
  const parts = formatIn(readerZone()).formatToParts(new Date(at))
  return Object.fromEntries(parts.map(({ type, value }) => [type, value]))
}

function formatIn(timeZone: string): Intl.DateTimeFormat {
  const made = formats.get(timeZone)
  if (made) return made
  const digits = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const
  // Of no language: only its digits are taken.
  const format = new Intl.DateTimeFormat('en-GB', { ...digits, hourCycle: 'h23', timeZone })
  formats.set(timeZone, format)
  return format
}
