import type { Knex } from 'knex'

/** What the errors of events are told from, so that each reader has them in the own language. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('plugin_events', (table) => {
    table.jsonb('error_said')
  })
}
