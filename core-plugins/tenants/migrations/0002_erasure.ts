import type { Knex } from 'knex'

export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('tenants', (table) => {
    // Of a deleted tenant: since when nothing of it is left.
    table.timestamp('erased_at')
  })
}
