import type { CalendarUnit } from '#kernel'

/** Over which time a quota counts. */
export type Span =
  | { readonly kind: 'calendar'; readonly unit: CalendarUnit; readonly tz: string }
  /** One after the other since 1970. */
  | { readonly kind: 'fixed'; readonly seconds: number }
  /** The time up to now, in sixty parts. */
  | { readonly kind: 'sliding'; readonly seconds: number }
  | { readonly kind: 'total' }

/** Half open: the end is the next one's start; undefined of what never ends. */
export interface Window {
  readonly from: Date
  readonly to: Date | undefined
}

const unitSeconds = { minute: 60, hour: 3600, day: 86_400, week: 604_800, month: 2_592_000 }

/** About how long a span is, in seconds. */
export function secondsOf(span: Span): number {
  if (span.kind === 'total') return Infinity
  return span.kind === 'calendar' ? unitSeconds[span.unit] : span.seconds
}

/** Windows shorter than this limit a rate; longer ones, and those of money, a sum. */
const rateSeconds = 3600

/** Whether a quota limits a rate, which may be forgotten, and not a sum, which is kept. */
export function isRate(metric: string, span: Span): boolean {
  if (metric === 'cost' || metric === 'concurrency') return false
  return span.kind === 'sliding' || secondsOf(span) < rateSeconds
}

/** Of how many parts a window is. */
export function partsOf(span: Span): number {
  return span.kind === 'sliding' ? 60 : 1
}
