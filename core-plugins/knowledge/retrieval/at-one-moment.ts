import type { Knex } from 'knex'

/**
 * Reads several times and sees the same each time; what is looked for by words and by vectors has a moment each. Chunks get other ids when their document is indexed anew: who read the ids before that and
 * the texts after it would find nothing.
 */
export function atOneMoment<Result>(db: Knex, read: (trx: Knex.Transaction) => Promise<Result>): Promise<Result> {
  return db.transaction(read, { isolationLevel: 'repeatable read', readOnly: true })
}
