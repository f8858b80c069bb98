import type { Admission } from './admission.ts'
import { pickByKey, pickOfTwo, pickOne } from './pick.ts'
import type { BreakerSettings, Strategy } from './settings.ts'
import type { Target } from './target.ts'

/** A target that admits a request, with its share of its tier. */
export interface Candidate<T extends Target> {
  readonly target: T
  readonly key: string
  readonly share: number
  readonly inFlight: number
  /** It may take one more without waste, should it be gone. */
  readonly isProven: boolean
  readonly isProbe: boolean
  readonly because: string
}

/** A target that does not, and why. */
export interface Rejected<T extends Target> {
  readonly target: T
  readonly admission: Extract<Admission, { admits: false }>
}

/** Where a request goes. */
export type Choice<T extends Target> =
  | {
      readonly kind: 'go'
      readonly target: T
      readonly isProbe: boolean
      readonly isEarly: boolean
      readonly because: string
    }
  /** Ask again after so long. */
  | { readonly kind: 'wait'; readonly ms: number; readonly target: T; readonly because: string }
  | {
      readonly kind: 'none'
      readonly rejected: readonly Rejected<T>[]
      /** Until one might admit it; undefined where time changes nothing. */
      readonly retryAfterMs: number | undefined
    }

const mostWaitMs = 2_000

/** Picks one of the candidates of the lowest tier. */
export function pickCandidate<T extends Target>(
  candidates: readonly Candidate<T>[],
  strategy: Strategy,
  stickyKey: string | undefined,
  random: () => number,
): Candidate<T> | undefined {
  const proven = candidates.filter(({ isProven }) => isProven)
  const among = proven.length > 0 ? proven : candidates
  if (strategy === 'sticky' && stickyKey !== undefined) return pickByKey(among, stickyKey)
  const pick = strategy === 'weighted' || strategy === 'priority' ? pickOne : pickOfTwo
  return pick(among, random)
}

/** What to do where no target admits a request. */
export function panicChoice<T extends Target>(
  rejected: readonly Rejected<T>[],
  panic: BreakerSettings['panic'],
  now: number,
): Choice<T> {
  const timed = rejected
    .filter(({ admission }) => admission.until !== undefined && admission.until < Number.MAX_SAFE_INTEGER)
    .sort((a, b) => (a.admission.until ?? 0) - (b.admission.until ?? 0))
  const soonest = timed[0]
  const ms = soonest && Math.max(1, (soonest.admission.until ?? 0) - now)
  if (soonest === undefined || ms === undefined) return { kind: 'none', rejected, retryAfterMs: undefined }
  if (panic === 'fail') return { kind: 'none', rejected, retryAfterMs: ms }
  // A probe that is under way is over when it is over: its time has come already.
  const isDue = (soonest.admission.until ?? 0) <= now
  if (ms <= mostWaitMs && !isDue) {
    return { kind: 'wait', ms, target: soonest.target, because: `least bad: ${soonest.admission.because}` }
  }
  const early = timed.find(({ admission }) => admission.mayTryEarly === true)
  if (early === undefined) return { kind: 'none', rejected, retryAfterMs: isDue ? 1_000 : ms }
  const because = `least bad, tried before its time: ${early.admission.because}`
  return { kind: 'go', target: early.target, isProbe: true, isEarly: true, because }
}
