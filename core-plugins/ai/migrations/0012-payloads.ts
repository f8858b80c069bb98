import type { Knex } from 'knex'
import { enableTenantRows } from '#kernel'

/** What guardrails found stands in the log of requests; what was said, where it is kept, sealed beside it. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table ai_request_log add column findings jsonb;
    create table ai_request_payloads (
      -- That of the request in the log.
      id text primary key,
      tenant_id int not null,
      user_id int,
      at timestamptz not null,
      sealed text not null
    );
    create index ai_request_payloads_at on ai_request_payloads (at);
    create index ai_request_payloads_user on ai_request_payloads (tenant_id, user_id)`)
  await enableTenantRows(db, 'ai_request_payloads')
}
