/** Before the work, within the transaction that records it, or after that, before the next thing is written. */
export type When = 'begin' | 'inside' | 'after'

/** What happens there: all of the host stands still, or that one thing alone, for ever. */
export type Halt = 'SIGSTOP' | 'hold'

/** A moment of a step of an operation. */
export interface StepTrap {
  readonly plugin: string
  readonly kind: string
  readonly step: string
  readonly when: When
  readonly halt: Halt
}

/** A moment of a query that an expression matches. */
export interface QueryTrap {
  readonly plugin: string
  readonly query: string
  /** What it has among its values: the plugin's name, if nothing else. */
  readonly value?: string
  readonly when: Exclude<When, 'after'>
  readonly halt: Halt
}

/** A moment of something that is done to a plugin at which a host is halted. */
export type Trap = StepTrap | QueryTrap
