import { enableTenantRows } from '#kernel'
import type { Knex } from 'knex'

/** Releases and their bytes, what is wanted of each plugin, and who may use it. */
export async function up(knex: Knex): Promise<void> {
  await releases(knex)
  await siteKey(knex)
  await plugins(knex)
  await tenants(knex)
  await operations(knex)
  await hosts(knex)
}

async function releases(knex: Knex): Promise<void> {
  await knex.schema.createTable('plugin_releases', (table) => {
    table.increments('id')
    table.text('name').notNullable()
    table.text('version').notNullable()
    table.text('tree_hash').notNullable()
    table.text('sha256').notNullable()
    table.integer('size').notNullable()
    table.jsonb('manifest').notNullable()
    table.jsonb('files').notNullable()
    table.text('trust').notNullable()
    table.jsonb('signature')
    table.timestamp('created_at').notNullable().defaultTo(knex.fn.now())
    table.unique(['name', 'version', 'tree_hash'])
  })
  await knex.schema.createTable('plugin_release_chunks', (table) => {
    table.integer('release_id').notNullable().references('plugin_releases.id').onDelete('CASCADE')
    table.integer('position').notNullable()
    table.binary('bytes').notNullable()
    table.primary(['release_id', 'position'])
  })
}

async function siteKey(knex: Knex): Promise<void> {
  await knex.schema.createTable('plugin_site_keys', (table) => {
    table.text('kid').primary()
    table.text('public_key').notNullable()
    // Sealed with the platform's key ring.
    table.text('private_key').notNullable()
    table.timestamp('created_at').notNullable().defaultTo(knex.fn.now())
  })
}

async function plugins(knex: Knex): Promise<void> {
  await knex.schema.createTable('plugins', (table) => {
    table.increments('id')
    table.text('name').notNullable().unique()
    table.text('scope').notNullable()
    table.text('status').notNullable()
    table.text('reason')
    table.boolean('removing').notNullable().defaultTo(false)
    table.integer('active_release').notNullable().references('plugin_releases.id')
    table.integer('previous_release').references('plugin_releases.id')
    table.integer('pending_release').references('plugin_releases.id')
    // Grows when hosts must load it anew; the generation says when anything about it last changed.
    table.integer('epoch').notNullable().defaultTo(1)
    table.bigInteger('generation').notNullable()
    table.timestamp('created_at').notNullable().defaultTo(knex.fn.now())
    table.timestamp('updated_at').notNullable().defaultTo(knex.fn.now())
  })
  await knex.schema.createTable('plugin_desired_state', (table) => {
    table.boolean('is_only').primary().defaultTo(true)
    table.bigInteger('generation').notNullable()
    table.check('is_only')
  })
  await knex('plugin_desired_state').insert({ generation: 0 })
  await knex.schema.createTable('plugin_grants', (table) => {
    table.integer('plugin_id').notNullable().references('plugins.id').onDelete('CASCADE')
    table.text('release_hash').notNullable()
    table.text('capability').notNullable()
    table.text('detail_hash').notNullable()
    table.jsonb('detail').notNullable()
    table.boolean('optional').notNullable().defaultTo(false)
    table.integer('granted_by')
    table.timestamp('at').notNullable().defaultTo(knex.fn.now())
    table.primary(['plugin_id', 'release_hash', 'capability'])
  })
  await knex.schema.createTable('plugin_migrations', (table) => {
    table.text('plugin').notNullable()
    table.text('migration').notNullable()
    table.text('version').notNullable()
    table.timestamp('applied_at').notNullable().defaultTo(knex.fn.now())
    table.primary(['plugin', 'migration'])
  })
}

async function tenants(knex: Knex): Promise<void> {
  await knex.schema.createTable('plugin_tenants', (table) => {
    table.integer('plugin_id').notNullable().references('plugins.id').onDelete('CASCADE')
    table.integer('tenant_id').notNullable()
    table.boolean('assigned').notNullable().defaultTo(true)
    table.boolean('enabled_by_tenant').notNullable().defaultTo(false)
    table.jsonb('capabilities_denied').notNullable().defaultTo('[]')
    table.text('license_state').notNullable().defaultTo('none')
    table.timestamp('created_at').notNullable().defaultTo(knex.fn.now())
    table.timestamp('updated_at').notNullable().defaultTo(knex.fn.now())
    table.primary(['plugin_id', 'tenant_id'])
    table.index(['tenant_id'])
  })
  await enableTenantRows(knex, 'plugin_tenants')
}

async function operations(knex: Knex): Promise<void> {
  await knex.schema.createTable('plugin_operations', (table) => {
    table.uuid('id').primary()
    table.text('plugin').notNullable()
    table.integer('plugin_id')
    table.text('kind').notNullable()
    table.text('state').notNullable().defaultTo('running')
    table.text('from_release')
    table.text('to_release')
    table.text('step')
    table.jsonb('steps').notNullable().defaultTo('[]')
    table.boolean('committed').notNullable().defaultTo(false)
    table.jsonb('options').notNullable().defaultTo('{}')
    table.integer('actor')
    table.jsonb('error')
    table.bigInteger('fencing').notNullable()
    table.timestamp('started_at').notNullable().defaultTo(knex.fn.now())
    table.timestamp('finished_at')
    table.index(['plugin', 'started_at'])
    table.index(['plugin_id', 'started_at'])
  })
  await knex.raw(`create index plugin_operations_running on plugin_operations (plugin) where state = 'running'`)
  await knex.raw('create sequence plugin_fencing')
  await knex.schema.createTable('plugin_locks', (table) => {
    table.text('plugin').primary()
    table.uuid('operation_id').notNullable()
    table.text('holder').notNullable()
    table.bigInteger('fencing').notNullable()
    table.timestamp('expires_at').notNullable()
  })
}

async function hosts(knex: Knex): Promise<void> {
  await knex.schema.createTable('plugin_hosts', (table) => {
    table.text('host_id').primary()
    table.bigInteger('generation').notNullable()
    table.jsonb('failures').notNullable().defaultTo('{}')
    table.jsonb('leaving').notNullable().defaultTo('[]')
    table.timestamp('started_at').notNullable().defaultTo(knex.fn.now())
    table.timestamp('seen_at').notNullable().defaultTo(knex.fn.now())
  })
}
