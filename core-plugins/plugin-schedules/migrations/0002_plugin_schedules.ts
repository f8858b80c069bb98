import { enableTenantRows } from '#kernel'
import type { Knex } from 'knex'

/** When plugins' schedules run next, what runs now, and how the latest runs ended. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('plugin_schedules', (table) => {
    table.integer('plugin_id').notNullable().references('plugins.id').onDelete('CASCADE')
    table.text('schedule').notNullable()
    // 0 = the platform.
    table.integer('tenant_id').notNullable()
    // What the next time was computed from: when it changes, the time does.
    table.text('cron').notNullable()
    table.text('timezone').notNullable()
    table.timestamp('next_run_at')
    // The next time with its jitter, or earlier when an administrator asked for a run.
    table.timestamp('due_at')
    table.uuid('run_id')
    table.timestamp('scheduled_at')
    table.timestamp('started_at')
    table.integer('attempt').notNullable().defaultTo(0)
    table.timestamp('leased_until')
    // Grows with every taking: who was taken for dead cannot write any more.
    table.bigInteger('fencing').notNullable().defaultTo(0)
    table.integer('consecutive_failures').notNullable().defaultTo(0)
    table.integer('skipped').notNullable().defaultTo(0)
    table.primary(['plugin_id', 'schedule', 'tenant_id'])
  })
  await knex.raw('create index plugin_schedules_due on plugin_schedules (plugin_id, due_at)')
  await knex.raw('create index plugin_schedules_leased on plugin_schedules (plugin_id, leased_until)')
  await knex.schema.createTable('plugin_schedule_runs', (table) => {
    table.bigIncrements('id')
    table.integer('plugin_id').notNullable()
    table.text('schedule').notNullable()
    table.integer('tenant_id').notNullable()
    table.uuid('run_id').notNullable()
    table.integer('attempt').notNullable()
    table.timestamp('scheduled_at').notNullable()
    table.timestamp('started_at').notNullable()
    table.timestamp('finished_at').notNullable()
    table.text('outcome').notNullable()
    table.integer('code')
    table.text('error')
    table.text('trace_id')
    table
      .foreign(['plugin_id', 'schedule', 'tenant_id'])
      .references(['plugin_id', 'schedule', 'tenant_id'])
      .inTable('plugin_schedules')
      .onDelete('CASCADE')
    table.index(['plugin_id', 'schedule', 'tenant_id', 'id'])
  })
  await enableTenantRows(knex, 'plugin_schedules')
  await enableTenantRows(knex, 'plugin_schedule_runs')
}
