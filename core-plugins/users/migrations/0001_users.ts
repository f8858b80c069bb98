import type { Knex } from 'knex'
import { enableTenantRows } from '#kernel'

// Users of the platform are those of tenant 0.
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('users', (table) => {
    table.increments('id')
    table.integer('tenant_id').notNullable()
    table.text('account')
    table.text('email')
    table.text('phone')
    table.text('nickname').notNullable().defaultTo('')
    table.text('avatar_url').notNullable().defaultTo('')
    table.text('status').notNullable().defaultTo('active')
    table.text('password_hash')
    table.timestamp('password_changed_at')
    table.integer('version').notNullable().defaultTo(1)
    table.text('locale')
    table.text('timezone')
    table.boolean('two_factor_enabled').notNullable().defaultTo(false)
    table.timestamp('last_login_at')
    table.timestamp('created_at').notNullable().defaultTo(knex.fn.now())
    table.timestamp('updated_at').notNullable().defaultTo(knex.fn.now())
    table.unique(['tenant_id', 'account'], { indexName: 'users_account_unique' })
    table.unique(['tenant_id', 'email'], { indexName: 'users_email_unique' })
    table.unique(['tenant_id', 'phone'], { indexName: 'users_phone_unique' })
  })
  await enableTenantRows(knex, 'users')
}
