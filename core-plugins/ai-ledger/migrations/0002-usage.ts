import type { Knex } from 'knex'
import { enableTenantRows } from '#kernel'

/** The ledger: a row for each attempt that reached a provider, in partitions by the time of its request. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table ai_usage (
      id uuid not null,
      request_id uuid not null,
      attempt int not null,
      -- When the request was let in, which is also the window of quotas that it counts in.
      at timestamptz not null,
      attempt_at timestamptz not null,
      tenant_id int not null,
      user_id int, key_id text, agent_id text, conversation_id text,
      purpose text not null,
      model_id text not null, model text not null, model_version int not null,
      provider_id text not null,
      input_tokens bigint not null, cached_input_tokens bigint not null, cache_write_tokens bigint not null,
      output_tokens bigint not null, reasoning_tokens bigint not null,
      cost_nano bigint not null, list_cost_nano bigint not null, possible_cost_nano bigint not null,
      saved_nano bigint not null,
      usage_source text not null,
      outcome text not null,
      ttft_ms int,
      duration_ms int not null,
      stream boolean not null,
      cached boolean not null,
      tool_calls int not null, tool_cpu_ms bigint not null, sandbox_ms bigint not null,
      primary key (request_id, attempt, at)
    ) partition by range (at);
    create index ai_usage_time on ai_usage (tenant_id, at desc, id desc);
    create index ai_usage_all_time on ai_usage (at desc, id desc);
    create index ai_usage_recovered on ai_usage (at) where usage_source = 'recovered';
    create table ai_usage_default partition of ai_usage default;
    -- Rows that the sums do not have yet.
    create table ai_usage_new (
      request_id uuid not null,
      attempt int not null,
      at timestamptz not null,
      tenant_id int not null,
      noted_at timestamptz not null default now()
    );
    create index ai_usage_new_tenant on ai_usage_new (tenant_id);
    create function ai_usage_noted() returns trigger language plpgsql as $$
      begin
        insert into ai_usage_new (request_id, attempt, at, tenant_id)
        select request_id, attempt, at, tenant_id from rows_after;
        return null;
      end $$;
    create trigger ai_usage_noted after insert on ai_usage referencing new table as rows_after
      for each statement execute function ai_usage_noted()`)
  for (const table of ['ai_usage', 'ai_usage_default', 'ai_usage_new']) await enableTenantRows(db, table)
}
