import type { LastError } from '../health-shape.ts'

/** How often each of a value's steps was met; a step is 12 % wide, so a percentile is as exact. */
type Histogram = Record<string, number>

/** What is counted of attempts at a target, or of requests. */
export interface Figures {
  requests: number
  success: number
  /** By what went wrong. */
  errors: Record<string, number>
  latency: Histogram
  ttft: Histogram
  speed: Histogram
  retries: number
  failovers: number
  aborts: number
  /** Refused before any target was asked, by what. */
  rejected: Record<string, number>
  /** Rows of the ledger, by where their figures come from; absent of what was counted before this was. */
  usage?: Record<string, number>
  /** The youngest failure. */
  lastError?: LastError
}

const bucketStep = 1.12

/** Nothing yet. */
export function noFigures(): Figures {
  return {
    ...{ requests: 0, success: 0, retries: 0, failovers: 0, aborts: 0 },
    ...{ errors: {}, latency: {}, ttft: {}, speed: {}, rejected: {} },
  }
}

/** Counts a value. */
export function meet(histogram: Histogram, value: number): void {
  const step = String(Math.round(Math.log(Math.max(value, 0) + 1) / Math.log(bucketStep)))
  histogram[step] = (histogram[step] ?? 0) + 1
}

/** Adds what another host or minute counted. */
function addFigures(to: Figures, more: Figures): void {
  for (const name of ['requests', 'success', 'retries', 'failovers', 'aborts'] as const) to[name] += more[name]
  for (const name of ['errors', 'latency', 'ttft', 'speed', 'rejected'] as const) {
    for (const [key, count] of Object.entries(more[name])) to[name][key] = (to[name][key] ?? 0) + count
  }
  for (const [source, rows] of Object.entries(more.usage ?? {})) {
    to.usage = { ...to.usage, [source]: (to.usage?.[source] ?? 0) + rows }
  }
  if (more.lastError && more.lastError.at > (to.lastError?.at ?? '')) to.lastError = more.lastError
}

/** All of them as one. */
export function sumFigures(all: readonly Figures[]): Figures {
  const sum = noFigures()
  for (const figures of all) addFigures(sum, figures)
  return sum
}

/** Share of good answers among those that somebody waited for, 0 to 1; null where there are none. */
export function successRate({ requests, aborts, success }: Figures): number | null {
  const counted = requests - aborts
  return counted === 0 ? null : Math.round((success / counted) * 10_000) / 10_000
}

/** The value that a part (0 to 1) of all does not exceed; null where there is none. */
export function percentile(histogram: Histogram, part: number): number | null {
  const steps = Object.entries(histogram).toSorted(([a], [b]) => Number(a) - Number(b))
  const all = steps.reduce((sum, [, count]) => sum + count, 0)
  let left = Math.ceil(all * part)
  for (const [step, count] of steps) {
    left -= count
    if (left <= 0) return Math.round(bucketStep ** Number(step) - 1)
  }
  return null
}
