import type { NeutralAnswer } from '../wire/neutral.ts'

/** What streams of a host have in common. */
export interface StreamSettings<S> {
  readonly earlyCommitAfterMs: number
  readonly heartbeatS: number
  /** So long an answer is read on whose reader went away, for the provider's figures. */
  readonly drainMs: number
  /** Those that are open, to be looked at for silence. */
  readonly open: Set<S>
  /** Takes the answer once it is whole. */
  readonly keep?: ((answer: NeutralAnswer) => void) | undefined
}
