import { enableTenantRows } from '#kernel'
import type { Knex } from 'knex'

/** Jobs that plugins enqueued, where each is, and what they spent of their day's CPU time. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('plugin_jobs', (table) => {
    table.uuid('id').primary().defaultTo(knex.raw('gen_random_uuid()'))
    table.integer('plugin_id').notNullable().references('plugins.id').onDelete('CASCADE')
    // 0 = the platform.
    table.integer('tenant_id').notNullable()
    table.text('name').notNullable()
    table.jsonb('input').notNullable()
    // What the next step begins with.
    table.jsonb('state')
    table.integer('steps').notNullable().defaultTo(0)
    // Of the step that is next.
    table.integer('attempts').notNullable().defaultTo(0)
    table.float('progress')
    table.text('text')
    table.text('status').notNullable().defaultTo('waiting')
    table.jsonb('result')
    table.jsonb('error_said')
    table.integer('hop').notNullable().defaultTo(0)
    table.text('trace_id')
    // Of all steps that were done.
    table.bigInteger('wall_ms').notNullable().defaultTo(0)
    table.timestamp('created_at').notNullable().defaultTo(knex.fn.now())
    table.timestamp('finished_at')
    table.index(['plugin_id', 'tenant_id', 'status'])
    table.index(['finished_at'])
  })
  await knex.schema.createTable('plugin_job_days', (table) => {
    table.integer('plugin_id').notNullable().references('plugins.id').onDelete('CASCADE')
    table.integer('tenant_id').notNullable()
    table.date('day').notNullable()
    table.double('cpu_ms').notNullable().defaultTo(0)
    table.primary(['plugin_id', 'tenant_id', 'day'])
  })
  await enableTenantRows(knex, 'plugin_jobs')
  await enableTenantRows(knex, 'plugin_job_days')
}
