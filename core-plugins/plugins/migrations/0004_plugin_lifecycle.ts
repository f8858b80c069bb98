import type { Knex } from 'knex'

/** Where a plugin came from, what its administrators chose about it, and how long a new release is watched. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('plugins', (table) => {
    // The index source whose name it belongs to; null for an upload.
    table.text('source')
    // Updates are not offered and not taken while it stays at its version.
    table.boolean('pinned').notNullable().defaultTo(false)
    // Entry id → {hidden?, title?, order?, parent?}.
    table.jsonb('menu_config').notNullable().defaultTo('{}')
    // An administrator's picture in place of the package's: {sha256, content_type}.
    table.jsonb('icon')
    // While a new release is watched: until then it may be rolled back without being asked.
    table.timestamp('watched_until')
  })
  await knex.schema.alterTable('plugin_releases', (table) => {
    table.text('source')
    // The publisher's key and signature, where there was one; `signature` is this site's own.
    table.text('kid')
    table.jsonb('publisher_signature')
  })
}
