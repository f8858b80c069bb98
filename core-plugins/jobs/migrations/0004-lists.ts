import type { Knex } from 'knex'

/**
 * The list of jobs, newest first, whatever it is narrowed to. Each change of a job writes to every index that has its row, so what few jobs
 * have is indexed for those alone, and days are found by ranges of blocks.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`create index jobs_of_kinds on jobs (kind, id)`)
  await db.raw(`create index jobs_of_tenants on jobs (tenant_id, id)`)
  await db.raw(`create index jobs_given_up on jobs (state, id) where state in ('dead', 'cancelled')`)
  await db.raw(`create index jobs_cancelled on jobs (id) where is_cancelled`)
  await db.raw(`create index jobs_of_hosts on jobs (host, id) where host is not null`)
  await db.raw(`create index jobs_of_keys on jobs (key, id) where key is not null`)
  await db.raw(`create index jobs_created on jobs using brin (created_at) with (pages_per_range = 32)`)
}
