import type { Knex } from 'knex'

/** Whether plugins were told how an operation ended: once, however often it is taken over. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('plugin_operations', (table) => {
    table.boolean('told').notNullable().defaultTo(false)
  })
}
