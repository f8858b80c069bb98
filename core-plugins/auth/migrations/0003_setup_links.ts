import type { Knex } from 'knex'

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('auth_setup_links', (table) => {
    table.text('token_hash').primary()
    table.timestamp('expires_at').notNullable()
  })
}
