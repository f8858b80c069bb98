import type { Knex } from 'knex'
import { enableTenantRows } from '#kernel'

/** What older messages of conversations came to, and who is making it at the moment. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table ai_compactions (
      id text primary key,
      tenant_id int not null,
      conversation_id text not null references ai_conversations (id) on delete cascade,
      version int not null,
      from_id text not null, to_id text not null, messages int not null,
      tail_from_id text, tail_messages int not null,
      summary text not null,
      text text not null,
      tokens_before int not null, tokens_after int not null, tokens_tail int not null,
      fidelity double precision not null,
      method text not null check (method in ('summary', 'extractive')),
      model text,
      cost_nano bigint not null,
      built_by text not null check (built_by in ('auto', 'user')),
      source_hash text not null,
      created_at timestamptz not null default now(),
      unique (conversation_id, version)
    );
    create table ai_compaction_states (
      conversation_id text primary key references ai_conversations (id) on delete cascade,
      tenant_id int not null,
      builder text,
      building_until timestamptz,
      failures int not null default 0, model_failed_at timestamptz,
      failed_at timestamptz
    )`)
  for (const table of ['ai_compactions', 'ai_compaction_states']) await enableTenantRows(db, table)
}
