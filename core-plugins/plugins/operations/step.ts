import type { Logger } from '#kernel'
import type { Knex } from 'knex'
import type { Operation } from './operation.ts'

/** All that whoever takes an operation over has: its record, and what its kind works with. */
export interface Recorded {
  readonly operation: Operation
  readonly parts: { readonly log: Logger }
}

interface Named {
  /** Administrators read it in the record of an operation. */
  readonly name: string
}

interface Early<W, R> extends Named {
  /** Whether it is done this time; always unless said otherwise. */
  readonly when?: (work: W) => boolean
  /** Whether `when` can be asked before the first step is taken. */
  readonly isForeseen?: boolean
  /** Puts back what it did, or had begun to do. It may be called again, and where the step did nothing. */
  readonly undo?: (recorded: R) => Promise<void>
}

/** Before the commit and outside of the database. */
interface Preparation<W, R> extends Early<W, R> {
  readonly prepare: (work: W) => Promise<unknown>
}

/** Before the commit, in a transaction that records it too. */
interface Change<W, R> extends Early<W, R> {
  readonly change: (trx: Knex.Transaction, work: W) => Promise<unknown>
}

/** The one moment at which it happens: undone before, finished after. */
interface Commit<W, R> extends Pick<Early<W, R>, 'name' | 'when' | 'isForeseen'> {
  readonly commit: (trx: Knex.Transaction, work: W) => Promise<unknown>
  /** Tells at once what happened; a host that dies over it tells nothing. */
  readonly tell?: (work: W) => Promise<void>
}

interface Late<R> extends Named {
  readonly when?: (recorded: R) => boolean
}

/** After the commit and outside of the database; it is repeated until it has succeeded, by any host. */
interface Finish<R> extends Late<R> {
  readonly finish: (recorded: R) => Promise<unknown>
}

/** After the commit, in a transaction that records it too. */
interface LateChange<R> extends Late<R> {
  readonly finishChange: (trx: Knex.Transaction, recorded: R) => Promise<unknown>
}

/** One step of a kind of operation. What it returns is kept in the record, where later steps and other hosts find it. */
export type Step<W extends R, R extends Recorded = W> = Preparation<W, R> | Change<W, R> | Commit<W, R> | LateStep<R>

/** One that needs nothing but the record. */
export type LateStep<R> = Finish<R> | LateChange<R>

/** The steps of a kind of operation in order, as its record is read: by whoever finishes or undoes it. */
export type RecordedSteps<R extends Recorded> = readonly Step<never, R>[]
