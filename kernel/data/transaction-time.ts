import type { Knex } from 'knex'
import { sessionOf } from './session.ts'

/** A transaction in which nothing is asked for so long is ended by the server, unless it says how long it takes. */
export const longestIdleMs = 25_000

/**
 * Lets each statement of a transaction take so long, until its end: ten minutes unless said otherwise. It may pause for as long
 * between two, and never for less than others may: what is short of time is told by its statements.
 */
export async function allowTime(trx: Knex.Transaction, milliseconds = 600_000): Promise<void> {
  const connection = (await (trx.client as Knex.Client).acquireConnection()) as object
  sessionOf(connection).statementMs = milliseconds
  await trx.raw(
    `select set_config('statement_timeout', ?, true), set_config('idle_in_transaction_session_timeout', ?, true)`,
    [String(milliseconds), String(Math.max(milliseconds, longestIdleMs))],
  )
}
