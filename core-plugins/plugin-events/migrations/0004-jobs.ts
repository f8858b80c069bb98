import type { Knex } from 'knex'

/** Events are delivered by the queue of jobs, one job for each plugin and tenant of which some wait. */
export async function up(knex: Knex): Promise<void> {
  await knex
    .raw(
      `insert into jobs (kind, tenant_id, payload, key, dedupe, group_name, state)
       select distinct 'plugin_events.deliver', tenant_id, jsonb_build_object('pluginId', plugin_id), plugin_id::text, plugin_id::text,
              plugin_id::text, 'waiting'
         from plugin_events where state = 'queued'
           on conflict do nothing`,
    )
    .queryContext({ tenant: 'all' })
  await knex.raw('alter table plugin_events drop column if exists leased_until')
}
