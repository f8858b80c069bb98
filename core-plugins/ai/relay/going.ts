import type { AttemptResult } from '../routing/target.ts'
import type { Attempt, AttemptParts } from './attempt-parts.ts'
import type { Known } from './attempt-record.ts'
import type { AttemptFault } from './fault.ts'
import type { AttemptEnding } from './settlement.ts'
import type { Step } from './target-walk.ts'

/** An attempt that is under way. */
export interface Going<A extends Attempt> {
  readonly attempt: A
  readonly step: Step
  readonly parts: AttemptParts
  /** Ends it, once: what routing learns, what is charged, what the log says. */
  end(ending: AttemptEnding | undefined, known: Known, result: AttemptResult, fault?: AttemptFault): void
}
