import type { Knex } from 'knex'

/** Jobs of a schedule may have a key, like any other. */
export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('job_schedules', (table) => table.text('key'))
}
