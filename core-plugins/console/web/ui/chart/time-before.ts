import { dayAt, startOf } from './days.ts'
import type { Period } from './period.ts'
import { wholeDays } from './whole-days.ts'

const day = 86_400_000

/** As long a time, before one: its buckets stand for those of that one, the first for the first. */
export function timeBefore({ from, to, tz, bucket }: Period): Period {
  const [start, length] = [Date.parse(from), Date.parse(to) - Date.parse(from)]
  if (bucket === '1h') return { from: new Date(start - length).toISOString(), to: from, tz, bucket }
  if (bucket === '1mo') return { ...monthsBefore(dayAt(start, tz), dayAt(start + length, tz), tz), tz, bucket }
  // Whole days of the reader's, of which some are longer or shorter.
  const { first } = wholeDays(Math.round(length / day), tz, new Date(start - day / 2))
  return { from: first.toISOString(), to: from, tz, bucket }
}

/** The fewest whole months back with which a time is over before it began; `end` is the first day after it. */
function monthsBefore(first: string, end: string, tz: string): Pick<Period, 'from' | 'to'> {
  const least = monthOf(end) - monthOf(first)
  const months = endBack(end, least) <= first ? least : least + 1
  return {
    from: startOf(startBack(first, months), tz).toISOString(),
    to: startOf(endBack(end, months), tz).toISOString(),
  }
}

/** The same day of an earlier month, or its last one where that is shorter. */
function startBack(date: string, months: number): string {
  const month = monthOf(date) - months
  return dateIn(month, Math.min(dayOf(date), daysIn(month)))
}

/** The same of a day that is not part of the time any more: where the month is shorter, all of that is. */
function endBack(date: string, months: number): string {
  const month = monthOf(date) - months
  return dayOf(date) > daysIn(month) ? dateIn(month + 1, 1) : dateIn(month, dayOf(date))
}

/** Counted from the year 0. */
function monthOf(date: string): number {
  return Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1
}

function dayOf(date: string): number {
  return Number(date.slice(8))
}

function daysIn(month: number): number {
  return new Date(Date.UTC(Math.floor(month / 12), (month % 12) + 1, 0)).getUTCDate()
}

function dateIn(month: number, dayOfMonth: number): string {
  return new Date(Date.UTC(Math.floor(month / 12), month % 12, dayOfMonth)).toISOString().slice(0, 10)
}
