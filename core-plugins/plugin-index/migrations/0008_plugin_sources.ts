import type { Knex } from 'knex'

/** Index sources with what was last read of them, the publishers this site trusts itself, and what was revoked. */
export async function up(knex: Knex): Promise<void> {
  await sources(knex)
  await publishers(knex)
  await revocations(knex)
}

async function sources(knex: Knex): Promise<void> {
  await knex.schema.createTable('plugin_sources', (table) => {
    table.text('id').primary()
    table.text('name').notNullable()
    table.text('url').notNullable()
    // The lowest comes first.
    table.integer('priority').notNullable().defaultTo(100)
    table.boolean('enabled').notNullable().defaultTo(true)
    // Request headers by name, as JSON sealed with the platform's key ring.
    table.text('headers')
    table.text('min_trust').notNullable()
    table.text('max_trust').notNullable()
    table.jsonb('allow').notNullable().defaultTo('[]')
    table.jsonb('deny').notNullable().defaultTo('[]')
    table.jsonb('download_hosts').notNullable().defaultTo('[]')
    table.boolean('unsigned').notNullable().defaultTo(false)
    // SHA-256 of the root that is trusted: given, or the first that was seen.
    table.text('root_fingerprint')
    // What was read last and held.
    table.bigInteger('sequence')
    table.timestamp('snapshot_at')
    table.timestamp('expires')
    table.jsonb('last_error')
    // When it was last asked, and when it last answered with what holds.
    table.timestamp('checked_at')
    table.timestamp('refreshed_at')
    table.timestamp('created_at').notNullable().defaultTo(knex.fn.now())
    table.timestamp('updated_at').notNullable().defaultTo(knex.fn.now())
  })
  await knex.schema.createTable('plugin_source_files', (table) => {
    table.text('source').notNullable().references('plugin_sources.id').onDelete('CASCADE').onUpdate('CASCADE')
    // A file of the snapshot by its name, any other by its SHA-256.
    table.text('name').notNullable()
    table.text('etag')
    table.binary('content').notNullable()
    table.timestamp('saved_at').notNullable().defaultTo(knex.fn.now())
    table.primary(['source', 'name'])
  })
}

async function publishers(knex: Knex): Promise<void> {
  await knex.schema.createTable('plugin_publishers', (table) => {
    table.increments('id')
    table.text('publisher').notNullable()
    table.text('kid').notNullable()
    table.text('public_key').notNullable()
    table.text('level').notNullable()
    table.integer('added_by')
    table.timestamp('created_at').notNullable().defaultTo(knex.fn.now())
    table.unique(['publisher', 'kid'])
  })
}

async function revocations(knex: Knex): Promise<void> {
  await knex.schema.createTable('plugin_revocations', (table) => {
    table.integer('plugin_id').primary().references('plugins.id').onDelete('CASCADE')
    // The release it is about; another one is another matter.
    table.text('release_hash').notNullable()
    table.text('version').notNullable()
    table.text('source').notNullable()
    table.text('action').notNullable()
    table.text('severity').notNullable()
    table.text('reason').notNullable()
    table.text('cve')
    // The publisher's key, where that was revoked and not the version.
    table.text('kid')
    table.timestamp('found_at').notNullable().defaultTo(knex.fn.now())
    // Whether what it asks for was done.
    table.timestamp('applied_at')
    // The administrator who runs it all the same.
    table.integer('overridden_by')
    table.timestamp('overridden_at')
  })
}
