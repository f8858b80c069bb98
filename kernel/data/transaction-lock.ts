import type { Knex } from 'knex'

/**
 * Holds a name on every host until the transaction ends: one `exclusive` holder, or any number of `shared` ones. Names begin
 * with the plugin's, such as `config.values:7`; those who take several take them in one order.
 */
export async function lockUntilCommit(
  trx: Knex.Transaction,
  name: string,
  mode: 'exclusive' | 'shared' = 'exclusive',
): Promise<void> {
  const lock = mode === 'shared' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock'
  await trx.raw(`select ${lock}(hashtextextended(?, 0))`, [name])
}
