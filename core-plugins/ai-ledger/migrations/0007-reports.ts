import type { Knex } from 'knex'
import { enableTenantRows } from '#kernel'

/** Reports that were asked for; their files are attachments. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table ai_usage_reports (
      id text primary key,
      tenant_id int not null,
      name text not null,
      status text not null,
      wish jsonb not null,
      cron text,
      parent_id text,
      attachment_id text,
      created_by int not null,
      created_at timestamptz not null default now(),
      finished_at timestamptz
    );
    create index ai_usage_reports_tenant on ai_usage_reports (tenant_id, created_at);
    create index ai_usage_reports_created on ai_usage_reports (created_at)`)
  await enableTenantRows(db, 'ai_usage_reports')
}
