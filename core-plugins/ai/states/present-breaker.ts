import type { PresentedBreaker } from '../health-shape.ts'
import type { Breaker } from '../routing/breaker.ts'
import type { TargetState } from '../routing/target-state.ts'

/** The provider's own where it is not closed, otherwise that of its targets that stays open longest; undefined where all are closed. */
export function worstBreaker(
  own: Breaker,
  targets: readonly (readonly [key: string, state: TargetState])[],
): readonly [Breaker, string | null] | undefined {
  if (own.state !== 'closed') return [own, null]
  const open = targets.filter(([, { breaker }]) => breaker.state !== 'closed')
  const [worst] = open.toSorted(([, a], [, b]) => b.breaker.record.until - a.breaker.record.until)
  return worst && [worst[1].breaker, worst[0].slice(worst[0].indexOf('/') + 1)]
}

/** A breaker as the wire has it; null of one that is closed. */
export function presentBreaker({ record }: Breaker, target: string | null): PresentedBreaker | null {
  const { kind, openedAt, until, reason } = record
  if (kind === undefined) return null
  return { target, kind, opened_at: isoOf(openedAt), next_probe_at: isoOf(until), reason }
}

function isoOf(time: number): string {
  // The longest that a date can say.
  return new Date(Math.min(time, 8.64e15)).toISOString()
}
