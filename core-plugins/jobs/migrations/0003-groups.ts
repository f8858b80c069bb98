import type { Knex } from 'knex'

/** Jobs of one kind may be of groups, of which hosts take as many as they have room for. */
export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('jobs', (table) => table.text('group_name'))
}
