import type { Knex } from 'knex'
import { enableTenantRows } from '#kernel'

/** What happened in conversations, in order; nothing of it changes. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table ai_conversations add column timeline_seq int not null default 0;
    create table ai_timeline (
      conversation_id text not null references ai_conversations (id) on delete cascade,
      seq int not null,
      tenant_id int not null,
      kind text not null,
      actor_type text not null check (actor_type in ('user', 'agent', 'system', 'plugin')),
      actor_id text,
      title text not null,
      ref_type text,
      ref_id text,
      duration_ms int,
      tokens int,
      cost text,
      data text not null,
      at timestamptz not null default now(),
      primary key (conversation_id, seq)
    )`)
  await enableTenantRows(db, 'ai_timeline')
}
