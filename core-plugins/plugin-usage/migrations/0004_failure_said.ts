import type { Knex } from 'knex'

/** What the messages of failures are told from; what a plugin said itself stays as it was written. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('plugin_failures', (table) => {
    table.jsonb('message_said')
  })
}
