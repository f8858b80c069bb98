import type { Knex } from 'knex'

/** The texts that a notification was made of, so that each reader has it in the own language. */
export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('user_notifications', (table) => {
    table.jsonb('told')
  })
}
