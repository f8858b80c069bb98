import type { Knex } from 'knex'

/**
 * Which keys of a publisher the site believed first, and through which source; for whom a source speaks by an administrator's
 * word; what a source without a bond asked for.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('plugin_publishers', (table) => {
    // Believed because a source listed it when a package of the publisher came in, not because an administrator said so.
    table.boolean('believed').notNullable().defaultTo(false)
    // The source that listed it; null once that is gone.
    table.text('source').references('plugin_sources.id').onDelete('SET NULL').onUpdate('CASCADE')
  })
  await knex.schema.alterTable('plugin_sources', (table) => {
    // Plugins about which the source is heard although nothing was taken from it.
    table.jsonb('judges').notNullable().defaultTo('[]')
  })
  await knex.schema.alterTable('plugin_revocations', (table) => {
    // What a source asked for that may only warn of this plugin; null where it is heard.
    table.text('asked')
  })
  await believeWhatIsHere(knex)
}

/** Publishers of releases that are kept here are who their sources say they are by now. */
async function believeWhatIsHere(knex: Knex): Promise<void> {
  await knex.raw(`
    insert into plugin_publishers (publisher, kid, public_key, level, believed, source)
    select distinct on (kept.publisher, listed.key->>'kid')
           kept.publisher, listed.key->>'kid', listed.key->>'publicKey', 'community', true, plugin_sources.id
      from (select distinct split_part(name, '.', 1) as publisher, kid, source from plugin_releases where kid is not null) kept
      join plugin_sources on not plugin_sources.unsigned and (kept.source is null or kept.source = plugin_sources.id)
      join plugin_source_files files on files.source = plugin_sources.id and files.name = 'publishers.json'
     cross join lateral (select convert_from(files.content, 'UTF8')::jsonb #> array['publishers', kept.publisher, 'keys'] as keys) listing
     cross join lateral jsonb_array_elements(listing.keys) as listed(key)
     where listing.keys @> jsonb_build_array(jsonb_build_object('kid', kept.kid))
       and not exists (select from plugin_publishers known where known.publisher = kept.publisher)
     order by kept.publisher, listed.key->>'kid', plugin_sources.priority, plugin_sources.id`)
}
