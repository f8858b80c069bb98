import type { Knex } from 'knex'

/** Events that were set aside are found without those that wait. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`create index plugin_events_dead on plugin_events (plugin_id, id) where state = 'failed'`)
}
