import { Cron } from 'croner'

/** A part of each day, `HH:MM` of the reader's clock; the end is not in it, and it may go over midnight. */
export interface QuietHours {
  readonly from: string
  readonly to: string
}

const digestTimes = { daily: '0 8 * * *', weekly: '0 8 * * 1' } as const

/** When the quiet hours end in which a moment is; undefined outside of them. */
export function quietUntil(hours: QuietHours | null, timezone: string, now: Date): Date | undefined {
  if (!hours || !isWithin(hours, clockOf(now, timezone))) return undefined
  const [hour, minute] = hours.to.split(':').map(Number)
  return next(`${minute} ${hour} * * *`, timezone, now)
}

/** The next time of a summary: at eight in the morning, each day or on Mondays, by the reader's clock. */
export function nextDigest(digest: 'daily' | 'weekly', timezone: string, now: Date): Date {
  return next(digestTimes[digest], timezone, now) ?? now
}

function isWithin({ from, to }: QuietHours, time: string): boolean {
  if (from === to) return false
  return from < to ? time >= from && time < to : time >= from || time < to
}

function clockOf(now: Date, timeZone: string): string {
  const parts = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone } as const
  return new Intl.DateTimeFormat('en-GB', parts).format(now)
}

function next(cron: string, timezone: string, now: Date): Date | undefined {
  return new Cron(cron, { timezone, mode: '5-part', paused: true }).nextRun(now) ?? undefined
}
