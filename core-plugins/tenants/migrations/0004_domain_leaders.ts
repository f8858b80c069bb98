import type { Knex } from 'knex'

/** By which owner's word a domain may become the one that links lead to, without being chosen. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('tenant_domains', (table) => table.integer('led_by'))
}
