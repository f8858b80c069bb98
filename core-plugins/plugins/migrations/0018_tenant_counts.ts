import type { Knex } from 'knex'

/** How many tenants may use a plugin and have it enabled is counted in the index alone. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    'create index plugin_tenants_counts on plugin_tenants (plugin_id) include (enabled_by_tenant) where assigned',
  )
}
