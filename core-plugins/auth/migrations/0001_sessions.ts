import type { Knex } from 'knex'
import { enableTenantRows } from '#kernel'

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('auth_sessions', (table) => {
    table.uuid('id').primary()
    table.integer('tenant_id').notNullable()
    table.integer('user_id').notNullable()
    // The generation of the refresh token that is current, and what is needed to give it again for a short while.
    table.integer('generation').notNullable().defaultTo(1)
    table.text('nonce_hash').notNullable()
    table.text('previous_nonce_hash')
    table.text('successor')
    table.timestamp('rotated_at')
    table.integer('version').notNullable()
    table.text('device_name')
    table.text('ip').notNullable()
    table.text('user_agent').notNullable()
    table.timestamp('created_at').notNullable().defaultTo(knex.fn.now())
    table.timestamp('last_used_at').notNullable().defaultTo(knex.fn.now())
    table.timestamp('idle_expires_at').notNullable()
    table.timestamp('expires_at').notNullable().index()
    table.timestamp('revoked_at')
    table.text('revoked_cause')
    table.index(['tenant_id', 'user_id'])
  })
  await enableTenantRows(knex, 'auth_sessions')
}
