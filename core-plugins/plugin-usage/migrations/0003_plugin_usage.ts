import { enableTenantRows } from '#kernel'
import type { Knex } from 'knex'

/** What plugins cost in each hour, their latest failures, and how they are on each host; all of it goes with the plugin. */
export async function up(knex: Knex): Promise<void> {
  await sums(knex)
  await usage(knex)
  await failures(knex)
  await gauges(knex)
}

/** Counts are arrays in the order of the measures: a measure more makes them longer and changes no table. */
async function sums(knex: Knex): Promise<void> {
  await knex.raw(`
    create function plugin_usage_add(one double precision[], other double precision[]) returns double precision[]
    language sql immutable parallel safe as $$
      select coalesce(array_agg(coalesce(a, 0) + coalesce(b, 0) order by position), '{}')
        from unnest(one, other) with ordinality as pairs (a, b, position)
    $$`)
  await knex.raw(`
    create aggregate plugin_usage_sum(double precision[])
    (sfunc = plugin_usage_add, stype = double precision[], initcond = '{}')`)
}

async function usage(knex: Knex): Promise<void> {
  await knex.schema.createTable('plugin_tenant_usage', (table) => {
    table.integer('plugin_id').notNullable().references('plugins.id').onDelete('CASCADE')
    table.integer('tenant_id').notNullable()
    table.timestamp('hour').notNullable()
    table.specificType('counts', 'double precision[]').notNullable()
    table.specificType('durations', 'double precision[]').notNullable()
    table.primary(['plugin_id', 'tenant_id', 'hour'])
    table.index(['tenant_id', 'hour'])
    table.index(['hour'])
  })
  await enableTenantRows(knex, 'plugin_tenant_usage')
  // By handler, by granted host, by reason of a kill: sums over all tenants.
  await knex.schema.createTable('plugin_part_usage', (table) => {
    table.integer('plugin_id').notNullable().references('plugins.id').onDelete('CASCADE')
    table.text('kind').notNullable()
    table.text('name').notNullable()
    table.timestamp('hour').notNullable()
    table.specificType('counts', 'double precision[]').notNullable()
    table.specificType('durations', 'double precision[]').notNullable()
    table.primary(['plugin_id', 'kind', 'name', 'hour'])
    table.index(['hour'])
  })
}

async function failures(knex: Knex): Promise<void> {
  await knex.schema.createTable('plugin_failures', (table) => {
    table.bigIncrements('id')
    table.integer('plugin_id').notNullable().references('plugins.id').onDelete('CASCADE')
    table.integer('tenant_id').notNullable()
    table.text('host_id').notNullable()
    table.timestamp('at').notNullable()
    table.text('target').notNullable()
    table.integer('code').notNullable()
    table.text('reason').notNullable()
    table.text('message').notNullable()
    table.text('trace_id').notNullable()
    table.text('stack')
    table.index(['plugin_id', 'at'])
    table.index(['tenant_id'])
  })
  await enableTenantRows(knex, 'plugin_failures')
}

async function gauges(knex: Knex): Promise<void> {
  await knex.schema.createTable('plugin_host_gauges', (table) => {
    table.integer('plugin_id').notNullable().references('plugins.id').onDelete('CASCADE')
    table.text('host_id').notNullable()
    table.text('breaker').notNullable()
    table.bigInteger('heap_bytes')
    table.bigInteger('lane_bytes')
    table.timestamp('at').notNullable().defaultTo(knex.fn.now())
    table.primary(['plugin_id', 'host_id'])
  })
}
