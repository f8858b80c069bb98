import type { Knex } from 'knex'
import { enableTenantRows } from '#kernel'

/** Links that show a conversation, up to one of its messages, to whoever has them. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table ai_conversation_shares (
      id text primary key,
      tenant_id int not null,
      conversation_id text not null references ai_conversations (id) on delete cascade,
      token_hash text not null unique,
      leaf_id text not null,
      created_at timestamptz not null default now()
    );
    create unique index ai_conversation_shares_one on ai_conversation_shares (conversation_id)`)
  await enableTenantRows(db, 'ai_conversation_shares')
}
