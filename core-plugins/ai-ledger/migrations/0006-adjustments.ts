import type { Knex } from 'knex'
import { enableTenantRows } from '#kernel'

/** Resets of quotas, which stay to be seen. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table ai_quota_adjustments (
      id uuid primary key,
      tenant_id int not null,
      quota_id text not null,
      bucket text not null,
      window_start timestamptz not null,
      before bigint not null,
      after bigint not null,
      reason text not null,
      made_by int,
      made_at timestamptz not null default now()
    );
    create index ai_quota_adjustments_quota on ai_quota_adjustments (quota_id, made_at)`)
  await enableTenantRows(db, 'ai_quota_adjustments')
}
