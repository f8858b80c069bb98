import type { Knex } from 'knex'
import { enableTenantRows } from '#kernel'

/** Conversations with their messages, and runs with their events. JSON is kept as text, since what models say may hold any character. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table ai_conversations (
      id text primary key,
      tenant_id int not null,
      user_id int not null,
      agent_id text not null,
      title text not null,
      titled_by text not null check (titled_by in ('message', 'model', 'user')),
      pinned boolean not null default false,
      archived boolean not null default false,
      message_count int not null default 0,
      last_message text,
      -- The message after which the next one goes.
      leaf_id text,
      -- At most one run at a time.
      active_run_id text,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      deleted_at timestamptz
    );
    create index ai_conversations_user on ai_conversations (tenant_id, user_id, updated_at) where deleted_at is null;
    create index ai_conversations_deleted on ai_conversations (deleted_at) where deleted_at is not null;
    create table ai_messages (
      id text primary key,
      tenant_id int not null,
      conversation_id text not null references ai_conversations (id) on delete cascade,
      parent_id text,
      role text not null check (role in ('user', 'assistant')),
      content text not null,
      -- What of it goes to the model: messages of the gateway's neutral form.
      said text not null,
      tool_calls text not null,
      finish_reason text,
      usage text,
      feedback text,
      client_message_id text,
      created_at timestamptz not null default now()
    );
    create index ai_messages_conversation on ai_messages (conversation_id, id);
    create table ai_runs (
      id text primary key,
      tenant_id int not null,
      user_id int not null,
      conversation_id text not null references ai_conversations (id) on delete cascade,
      agent_id text not null,
      agent_version int not null,
      user_message_id text not null,
      message_id text not null,
      parent_id text not null,
      status text not null check (status in ('running', 'completed', 'awaiting_confirmation', 'cancelled', 'failed')),
      trace_id text not null,
      beat_at timestamptz not null default now(),
      cancel_at timestamptz,
      started_at timestamptz not null default now(),
      ended_at timestamptz,
      -- Its events are kept no longer than a few minutes after the end.
      pruned boolean not null default false
    );
    create index ai_runs_conversation on ai_runs (conversation_id);
    create index ai_runs_running on ai_runs (beat_at) where status = 'running';
    create index ai_runs_unpruned on ai_runs (ended_at) where not pruned;
    create table ai_run_events (
      run_id text not null references ai_runs (id) on delete cascade,
      seq int not null,
      tenant_id int not null,
      kind text not null,
      data text not null,
      at timestamptz not null default now(),
      primary key (run_id, seq)
    )`)
  for (const table of ['ai_conversations', 'ai_messages', 'ai_runs', 'ai_run_events']) await enableTenantRows(db, table)
}
