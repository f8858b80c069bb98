import type { Knex } from 'knex'
import { enableTenantRows } from '#kernel'

/** What agents remember of users, how far conversations have been learnt from, and a row for each user that whoever writes locks. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table ai_memories (
      id text primary key,
      tenant_id int not null,
      user_id int not null,
      -- Of one agent alone, and of one conversation alone, where they are set.
      agent_id text,
      conversation_id text,
      kind text not null check (kind in ('fact', 'preference', 'goal', 'event')),
      -- Empty once it is deleted.
      text text not null,
      norm_hash text not null,
      confidence double precision not null,
      origin text not null check (origin in ('wish', 'tool', 'extraction', 'user')),
      source_msgs text[] not null,
      source_conversations text[] not null,
      supersedes text,
      superseded_by text,
      expires_at timestamptz,
      used_count int not null default 0,
      used_at timestamptz,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      deleted_at timestamptz
    );
    create unique index ai_memories_once on ai_memories (tenant_id, user_id, coalesce(agent_id, ''), norm_hash)
      where deleted_at is null;
    create index ai_memories_user on ai_memories (tenant_id, user_id, created_at);
    create index ai_memories_expires on ai_memories (expires_at) where expires_at is not null;
    create index ai_memories_deleted on ai_memories (deleted_at) where deleted_at is not null;
    create table ai_memory_states (
      conversation_id text primary key,
      tenant_id int not null,
      user_id int not null,
      -- The last message that was learnt from, or is not to be.
      watermark text,
      failures int not null default 0,
      extracted_at timestamptz,
      added int not null default 0,
      superseded int not null default 0
    );
    create index ai_memory_states_user on ai_memory_states (tenant_id, user_id);
    create table ai_memory_users (
      tenant_id int not null,
      user_id int not null,
      -- Changes whenever the user deletes or corrects something.
      epoch int not null default 0,
      primary key (tenant_id, user_id)
    )`)
  for (const table of ['ai_memories', 'ai_memory_states', 'ai_memory_users']) await enableTenantRows(db, table)
}
