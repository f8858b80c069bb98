import type { Knex } from 'knex'

/** What the errors of jobs are told from, so that each reader has them in the own language. */
export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('jobs', (table) => {
    table.jsonb('error_said')
  })
}
