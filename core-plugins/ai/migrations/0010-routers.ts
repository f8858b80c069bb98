import type { Knex } from 'knex'

/** Routes may name a router of a plugin. */
export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('ai_routes', (table) => {
    table.jsonb('router')
  })
}
