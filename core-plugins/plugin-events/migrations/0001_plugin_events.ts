import { enableTenantRows } from '#kernel'
import type { Knex } from 'knex'

/** The queue of events. Of old it was made by the first migration of `plugins`, under whose name new databases have other tables. */
export async function up(knex: Knex): Promise<void> {
  if (await knex.schema.hasTable('plugin_events')) return
  await knex.schema.createTable('plugin_events', (table) => {
    table.bigIncrements('id')
    table.integer('plugin_id').notNullable().references('plugins.id').onDelete('CASCADE')
    table.integer('tenant_id').notNullable()
    table.text('type').notNullable()
    table.jsonb('payload')
    table.integer('hop').notNullable()
    table.text('trace_id')
    table.text('state').notNullable().defaultTo('queued')
    table.integer('attempts').notNullable().defaultTo(0)
    table.text('error')
    table.timestamp('not_before').notNullable().defaultTo(knex.fn.now())
    table.timestamp('leased_until')
    table.timestamp('occurred_at').notNullable().defaultTo(knex.fn.now())
  })
  await knex.raw(`create index plugin_events_queue on plugin_events (plugin_id, tenant_id, id) where state = 'queued'`)
  await enableTenantRows(knex, 'plugin_events')
}
