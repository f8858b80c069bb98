import type { Knex } from 'knex'

/** Which steps an operation will take, how much of a step that is measured is done, and which request it began with. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('plugin_operations', (table) => {
    table.jsonb('plan')
    table.jsonb('progress')
    table.text('trace_id')
  })
}
