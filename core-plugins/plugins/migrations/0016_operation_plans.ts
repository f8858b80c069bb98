import type { Knex } from 'knex'

/** Which steps an operation will take, and how much of a step that is measured is done. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('plugin_operations', (table) => {
    table.jsonb('plan')
    table.jsonb('progress')
  })
}
