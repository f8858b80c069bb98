import type { Knex } from 'knex'

/** Backups of plugins: what is known of each, and its files in pieces, where every host reaches them. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('plugin_backups', (table) => {
    table.increments('id')
    // By name too: a final backup outlives its plugin.
    table.text('plugin').notNullable()
    table.integer('plugin_id').notNullable()
    table.text('name').notNullable()
    table.text('kind').notNullable()
    table.text('version').notNullable()
    table.text('release_hash').notNullable()
    table.jsonb('migrations').notNullable().defaultTo('[]')
    // Path → {sha256, size, rows?, columns?}.
    table.jsonb('files').notNullable().defaultTo('{}')
    // Table → column → {value, called}.
    table.jsonb('sequences').notNullable().defaultTo('{}')
    table.bigInteger('size').notNullable().defaultTo(0)
    table.bigInteger('rows').notNullable().defaultTo(0)
    table.integer('objects').notNullable().defaultTo(0)
    table.bigInteger('object_bytes').notNullable().defaultTo(0)
    table.timestamp('created_at').notNullable().defaultTo(knex.fn.now())
    // Null while an uninstall is still writing it.
    table.timestamp('completed_at')
    table.timestamp('expires_at')
    table.unique(['plugin', 'name'])
  })
  await knex.schema.createTable('plugin_backup_chunks', (table) => {
    table.integer('backup_id').notNullable().references('plugin_backups.id').onDelete('CASCADE')
    table.text('file').notNullable()
    table.integer('position').notNullable()
    table.binary('bytes').notNullable()
    table.primary(['backup_id', 'file', 'position'])
  })
}
