import type { Knex } from 'knex'
import { enableTenantRows } from '#kernel'

export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('auth_sessions', (table) => {
    // How the user proved who they are, and the platform's administrator who acts in the user's place.
    table.specificType('methods', 'text[]').notNullable().defaultTo('{pwd}')
    table.integer('actor_id').index()
  })
  await knex.schema.createTable('auth_known_devices', (table) => {
    table.integer('tenant_id').notNullable()
    table.integer('user_id').notNullable()
    table.text('fingerprint').notNullable()
    table.timestamp('last_seen_at').notNullable()
    table.primary(['tenant_id', 'user_id', 'fingerprint'])
  })
  await enableTenantRows(knex, 'auth_known_devices')
}
