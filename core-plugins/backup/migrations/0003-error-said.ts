import type { Knex } from 'knex'

/** What the errors of backups are told from, so that each reader has them in the own language. */
export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('backup_runs', (table) => {
    table.jsonb('error_said')
  })
}
