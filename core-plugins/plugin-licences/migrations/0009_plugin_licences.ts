import { enableTenantRows } from '#kernel'
import type { Knex } from 'knex'

/** The licences of plugins, whom they are for, what was told of them, and what outlives them. */
export async function up(knex: Knex): Promise<void> {
  await licences(knex)
  await told(knex)
  await memory(knex)
}

async function licences(knex: Knex): Promise<void> {
  await knex.schema.createTable('plugin_licences', (table) => {
    table.increments('id')
    table.integer('plugin_id').notNullable().references('plugins.id').onDelete('CASCADE')
    table.text('jti').notNullable()
    table.text('kid').notNullable()
    // lic | trial
    table.text('kind').notNullable()
    table.text('token').notNullable()
    // all | listed | seats
    table.text('reach').notNullable()
    table.integer('seats')
    table.jsonb('features').notNullable()
    table.timestamp('starts_at').notNullable()
    // Null where it does not end; then there is no grace either.
    table.timestamp('expires_at')
    table.timestamp('grace_until')
    table.timestamp('revoked_at')
    // administrator | publisher
    table.text('revoked_by')
    table.integer('activated_by')
    table.timestamp('activated_at').notNullable().defaultTo(knex.fn.now())
    table.unique(['plugin_id', 'jti'])
    table.index(['jti'])
  })
  // Who has a seat; with `revoked_at`, for whom it was revoked.
  await knex.schema.createTable('plugin_licence_tenants', (table) => {
    table.integer('licence_id').notNullable().references('plugin_licences.id').onDelete('CASCADE')
    table.integer('plugin_id').notNullable()
    table.integer('tenant_id').notNullable()
    table.timestamp('revoked_at')
    table.primary(['licence_id', 'tenant_id'])
    table.index(['plugin_id', 'tenant_id'])
  })
  await enableTenantRows(knex, 'plugin_licence_tenants')
}

async function told(knex: Knex): Promise<void> {
  // What administrators and others were told of last, so that every change is told once across the hosts.
  await knex.schema.createTable('plugin_licence_states', (table) => {
    table.integer('plugin_id').notNullable().references('plugins.id').onDelete('CASCADE')
    table.integer('tenant_id').notNullable()
    table.text('state').notNullable()
    // Grows as the end comes nearer, and is gone beyond.
    table.integer('phase').notNullable()
    table.timestamp('expires_at')
    table.bigInteger('generation').notNullable()
    table.primary(['plugin_id', 'tenant_id'])
  })
  await enableTenantRows(knex, 'plugin_licence_states')
}

async function memory(knex: Knex): Promise<void> {
  // A hash of plugin, site and tenant: whoever had a trial has none again, whatever was uninstalled since.
  await knex.schema.createTable('plugin_licence_tombstones', (table) => {
    table.text('hash').primary()
    table.timestamp('at').notNullable().defaultTo(knex.fn.now())
  })
  await knex.schema.createTable('plugin_licence_revocations', (table) => {
    table.text('jti').primary()
    table.timestamp('at').notNullable().defaultTo(knex.fn.now())
  })
  await knex.schema.createTable('plugin_licence_clock', (table) => {
    table.boolean('is_only').primary().defaultTo(true)
    // The latest time that was seen: a clock that is set back does not bring back what was over.
    table.timestamp('seen_at').notNullable().defaultTo(knex.fn.now())
    table.check('is_only')
  })
  await knex('plugin_licence_clock').insert({ is_only: true })
}
