import type { Knex } from 'knex'

/** How large kept conversations are, so that what a key and a tenant keep can be bounded without reading any. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table ai_responses add column bytes int not null default 0;
    create index ai_responses_key on ai_responses (tenant_id, key_id, created_at desc) include (bytes);
    create index ai_responses_expiry on ai_responses (expires_at)`)
  await db.raw('update ai_responses set bytes = octet_length(messages)').queryContext({ tenant: 'all' })
}
