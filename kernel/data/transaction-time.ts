import type { Knex } from 'knex'
import { discard, sessionOf, type PgConnection } from './session.ts'

/** A transaction in which nothing is asked for so long is ended by the server, unless it says how long it takes. */
export const longestIdleMs = 25_000

const tenMinutes = 600_000

/**
 * Lets each statement of a transaction take so long, until its end: ten minutes unless said otherwise. It may pause for as long
 * between two, and never for less than others may: what is short of time is told by its statements.
 */
export async function allowTime(trx: Knex.Transaction, milliseconds = tenMinutes): Promise<void> {
  const connection = (await (trx.client as Knex.Client).acquireConnection()) as object
  sessionOf(connection).statementMs = milliseconds
  await trx.raw(
    `select set_config('statement_timeout', ?, true), set_config('idle_in_transaction_session_timeout', ?, true)`,
    [String(milliseconds), String(Math.max(milliseconds, longestIdleMs))],
  )
}

/**
 * Runs one statement that takes long and that the server takes in no transaction, such as `create index concurrently`; ten minutes at most unless
 * said otherwise.
 */
export async function runLong(db: Knex, statement: string, milliseconds = tenMinutes): Promise<void> {
  const client = db.client as Knex.Client
  const connection = (await client.acquireConnection()) as PgConnection
  try {
    await db.raw(`set statement_timeout = ${String(milliseconds)}`).connection(connection)
    sessionOf(connection).statementMs = milliseconds
    await db.raw(statement).connection(connection)
  } finally {
    await db
      .raw('reset statement_timeout')
      .connection(connection)
      // Or whoever has it next would wait so long as well.
      .catch((error: Error) => discard(connection, error))
    await client.releaseConnection(connection)
  }
}
