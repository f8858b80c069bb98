/** A moment of an operation at which a host gets a signal. */
export interface Trap {
  readonly plugin: string
  readonly kind: string
  readonly step: string
  /** Before the work of the step, within the transaction that records it, or after that, before the next thing is written. */
  readonly when: 'begin' | 'inside' | 'after'
  readonly signal: 'SIGKILL' | 'SIGSTOP'
}
