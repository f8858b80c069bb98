import type { Knex } from 'knex'

/** Backups are jobs of the queue, which has one at a time made and knows whether its host lives. */
export async function up(db: Knex): Promise<void> {
  await db.raw('drop index backup_runs_one')
  await db.schema.alterTable('backup_runs', (table) => {
    table.dropColumn('seen_at')
    table.bigInteger('job').unique()
  })
  const error = 'The platform was upgraded over it'
  await db('backup_runs').where({ state: 'running' }).update({ state: 'failed', error, finished_at: db.fn.now() })
}
