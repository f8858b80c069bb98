import type { Knex } from 'knex'
import { enableTenantRows } from '#kernel'

const safety = { notifyNewDevice: true, allowedIps: [], sessionMaxDevices: null }

// What keeps a sign-in safe beside the password.
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('users', (table) => {
    table.boolean('password_change_required').notNullable().defaultTo(false)
    table.jsonb('login_security').notNullable().defaultTo(JSON.stringify(safety))
    table.timestamp('email_verified_at')
    // What the rows of a user refer to, so that they can belong to no other tenant.
    table.unique(['tenant_id', 'id'], { indexName: 'users_tenant_unique' })
  })

  await knex.schema.createTable('user_second_factors', (table) => {
    table.integer('tenant_id').notNullable()
    table.integer('user_id').notNullable()
    table.text('secret').notNullable()
    table.timestamp('confirmed_at')
    table.integer('last_step').notNullable().defaultTo(0)
    table.timestamp('created_at').notNullable().defaultTo(knex.fn.now())
    table.primary(['tenant_id', 'user_id'])
    table.foreign(['tenant_id', 'user_id']).references(['tenant_id', 'id']).inTable('users').onDelete('CASCADE')
  })
  await enableTenantRows(knex, 'user_second_factors')

  await knex.schema.createTable('user_recovery_codes', (table) => {
    table.integer('tenant_id').notNullable()
    table.integer('user_id').notNullable()
    table.text('code_hash').notNullable()
    table.primary(['tenant_id', 'user_id', 'code_hash'])
    table.foreign(['tenant_id', 'user_id']).references(['tenant_id', 'id']).inTable('users').onDelete('CASCADE')
  })
  await enableTenantRows(knex, 'user_recovery_codes')
}
