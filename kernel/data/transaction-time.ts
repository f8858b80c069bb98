import type { Knex } from 'knex'
import { sessionOf } from './session.ts'

/** Lets each statement of a transaction take so long, until its end: ten minutes unless said otherwise. */
export async function allowTime(trx: Knex.Transaction, milliseconds = 600_000): Promise<void> {
  const connection = (await (trx.client as Knex.Client).acquireConnection()) as object
  sessionOf(connection).statementMs = milliseconds
  await trx.raw(`set local statement_timeout = ${milliseconds}`)
}
