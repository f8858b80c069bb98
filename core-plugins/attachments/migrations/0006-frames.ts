import type { Knex } from 'knex'

/** How many pictures an animation has, so that one of too many is refused by its record. */
export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('attachments', (table) => {
    table.integer('frames')
  })
}
