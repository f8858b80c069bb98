import type { LicenceStanding } from './licence-book.ts'
import { day } from './licence-times.ts'

/** What administrators are told: that it ends in so many days, ends today, is in its grace, or is over. */
export type LicenceNews = 'ends_14' | 'ends_3' | 'ends_0' | 'grace' | 'over'

/** How near a licence is to its end: a number that only grows while nobody does anything. */
interface LicencePhase {
  readonly phase: number
  readonly news: LicenceNews | undefined
  /** When the next phase begins, in milliseconds since 1970. */
  readonly until: number
}

/** By phase: how long before the end it begins, and for what licences. The last day begins a day before the end. */
const allWarnings = [
  { phase: 1, news: 'ends_14', before: 14 * day, longerThan: 14 * day },
  { phase: 2, news: 'ends_3', before: 3 * day, longerThan: 3 * day },
  { phase: 3, news: 'ends_0', before: day, longerThan: 0 },
] as const

/** The phase of a standing at a time in milliseconds since 1970; nobody is warned of an end that was no farther away at the beginning. */
export function phaseOf({ state, grant, until }: LicenceStanding, now: number): LicencePhase {
  if (!grant || state === 'none' || state === 'revoked') return { phase: 0, news: undefined, until }
  if (state === 'expired') return { phase: 5, news: 'over', until }
  if (state === 'grace') return { phase: 4, news: 'grace', until }
  const { startsAt, expiresAt } = grant
  const warnings = allWarnings.filter(({ longerThan }) => expiresAt - startsAt > longerThan)
  const reached = warnings.findLast(({ before }) => now >= expiresAt - before)
  const next = warnings.find(({ before }) => now < expiresAt - before)
  return {
    phase: reached?.phase ?? 0,
    news: reached?.news,
    until: next ? Math.min(until, expiresAt - next.before) : until,
  }
}
