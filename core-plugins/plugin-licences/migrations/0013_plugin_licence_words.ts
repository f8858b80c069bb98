import type { Knex } from 'knex'

/**
 * Which source revoked a licence, because only those with a bond to its plugin are heard. What was kept without a source is not
 * believed any more; licences that ended by it stay ended. The old table stays for hosts that are older.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('plugin_licence_words', (table) => {
    table.text('jti').notNullable()
    // Also of a source that is gone: what it said stays said.
    table.text('source').notNullable()
    table.timestamp('at').notNullable().defaultTo(knex.fn.now())
    table.primary(['jti', 'source'])
  })
  // A new database has no sources yet, and none that said anything.
  if (!(await knex.schema.hasTable('plugin_sources'))) return
  await knex.raw(`
    insert into plugin_licence_words (jti, source)
    select distinct said.jti, plugin_sources.id
      from plugin_sources
      join plugin_source_files files on files.source = plugin_sources.id and files.name = 'revocations.json'
     cross join lateral jsonb_array_elements_text(convert_from(files.content, 'UTF8')::jsonb -> 'licenses') as said(jti)
     where plugin_sources.enabled and not plugin_sources.unsigned`)
}
