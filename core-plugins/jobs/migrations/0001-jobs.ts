import type { Knex } from 'knex'
import { enableTenantRows } from '#kernel'

const unended = `state in ('waiting', 'delayed', 'held', 'running')`

/** Work that is to be done at least once, and the times at which some of it comes again; of tenants and of the platform (tenant 0). */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('jobs', (table) => {
    table.bigIncrements('id')
    table.integer('tenant_id').notNullable()
    table.text('kind').notNullable()
    table.jsonb('payload').notNullable()
    table.text('state').notNullable()
    table.integer('priority').notNullable().defaultTo(0)
    // Jobs of one key run one after the other, in the order of their positions.
    table.text('key')
    table.text('dedupe')
    table.timestamp('run_at').notNullable().defaultTo(db.fn.now())
    table.timestamp('scheduled_at')
    table.integer('attempts').notNullable().defaultTo(0)
    // Grows with each host that takes the job: what a late host writes carries an older one.
    table.integer('fence').notNullable().defaultTo(0)
    table.text('host')
    table.timestamp('leased_until')
    table.boolean('is_cancelled').notNullable().defaultTo(false)
    table.integer('percent')
    table.text('progress')
    table.text('error')
    table.timestamp('created_at').notNullable().defaultTo(db.fn.now())
    table.timestamp('started_at')
    table.timestamp('finished_at')
    table.timestamp('forget_at')
  })
  await db.raw(`alter table jobs add column position bigserial not null`)
  await db.raw(`create index jobs_waiting on jobs (kind, tenant_id, priority desc, position) where state = 'waiting'`)
  await db.raw(`create index jobs_delayed on jobs (run_at) where state = 'delayed'`)
  await db.raw(`create index jobs_leased on jobs (leased_until) where state = 'running'`)
  await db.raw(`create index jobs_keys on jobs (kind, tenant_id, key, position) where key is not null and ${unended}`)
  await db.raw(`create unique index jobs_dedupe on jobs (kind, tenant_id, dedupe) where dedupe is not null`)
  await db.raw(`create index jobs_forgotten on jobs (forget_at) where forget_at is not null`)
  await enableTenantRows(db, 'jobs')
  await db.schema.createTable('job_schedules', (table) => {
    table.integer('tenant_id').notNullable()
    table.text('name').notNullable()
    table.text('kind').notNullable()
    table.jsonb('payload').notNullable()
    table.text('cron').notNullable()
    table.text('timezone').notNullable()
    table.integer('late_seconds').notNullable()
    table.timestamp('next_at')
    table.primary(['tenant_id', 'name'])
    table.index(['next_at'])
  })
  await enableTenantRows(db, 'job_schedules')
}
