import type { Knex } from 'knex'
import { enableTenantRows } from '#kernel'

// Codes and links of the platform are those of tenant 0. A target nobody has also gets a code, which is never sent.
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('auth_codes', (table) => {
    table.integer('tenant_id').notNullable()
    table.text('target').notNullable()
    table.text('purpose').notNullable()
    table.integer('user_id')
    table.text('code_hash').notNullable()
    table.integer('tries').notNullable().defaultTo(0)
    table.timestamp('expires_at').notNullable()
    table.primary(['tenant_id', 'target', 'purpose'])
    table.index(['tenant_id', 'user_id'])
  })
  await enableTenantRows(knex, 'auth_codes')

  await knex.schema.createTable('auth_reset_links', (table) => {
    table.text('token_hash').primary()
    table.integer('tenant_id').notNullable()
    table.integer('user_id').notNullable()
    table.integer('version').notNullable()
    table.timestamp('expires_at').notNullable()
    table.index(['tenant_id', 'user_id'])
  })
  await enableTenantRows(knex, 'auth_reset_links')
}
