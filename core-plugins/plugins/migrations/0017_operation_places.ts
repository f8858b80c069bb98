import type { Knex } from 'knex'

/** The lock that an operation runs under where that is not its plugin's: while its package comes, the plugin is free for other work. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('plugin_operations', (table) => {
    table.text('place')
  })
}
