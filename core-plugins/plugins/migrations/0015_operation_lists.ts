import type { Knex } from 'knex'

/** The log of what was done to all plugins, newest first, whatever it is narrowed to. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('plugin_operations', (table) => {
    table.index(['started_at'])
    for (const column of ['kind', 'state', 'actor']) table.index([column, 'started_at'])
  })
}
