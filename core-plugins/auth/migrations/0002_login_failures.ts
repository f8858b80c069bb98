import type { Knex } from 'knex'
import { enableTenantRows } from '#kernel'

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('auth_login_failures', (table) => {
    table.integer('tenant_id').notNullable()
    // A keyed hash: people type passwords into the field of the account.
    table.text('account').notNullable()
    table.text('network').notNullable()
    table.integer('failures').notNullable()
    table.timestamp('last_failed_at').notNullable()
    table.timestamp('locked_until')
    table.primary(['tenant_id', 'account', 'network'])
  })
  await enableTenantRows(knex, 'auth_login_failures')
}
