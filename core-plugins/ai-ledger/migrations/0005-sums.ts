import type { Knex } from 'knex'
import { enableTenantRows } from '#kernel'

const measures = `
  requests bigint not null, errors bigint not null, estimated bigint not null,
  input_tokens bigint not null, cached_input_tokens bigint not null, cache_write_tokens bigint not null,
  output_tokens bigint not null, reasoning_tokens bigint not null,
  cost_nano bigint not null, list_cost_nano bigint not null, possible_cost_nano bigint not null, saved_nano bigint not null,
  duration_ms bigint not null,
  -- How many first tokens came within each of the limits of time.
  ttft bigint[] not null`

/** Sums of the ledger by hour and by day (UTC): of each combination, and, by hour, without users, keys and agents. */
export async function up(db: Knex): Promise<void> {
  for (const table of ['ai_usage_hours', 'ai_usage_days']) {
    await db.raw(`
      create table ${table} (
        slot timestamptz not null, tenant_id int not null,
        model_id text not null, model text not null, provider_id text not null, purpose text not null,
        key_id text not null, user_id int not null, agent_id text not null, ${measures},
        primary key (slot, tenant_id, model_id, model, provider_id, purpose, key_id, user_id, agent_id)
      ) partition by range (slot);
      create index ${table}_tenant on ${table} (tenant_id, slot);
      create table ${table}_default partition of ${table} default`)
  }
  await db.raw(`
    create table ai_usage_totals (
      slot timestamptz not null, tenant_id int not null,
      model_id text not null, model text not null, provider_id text not null, purpose text not null, ${measures},
      primary key (slot, tenant_id, model_id, model, provider_id, purpose)
    ) partition by range (slot);
    create index ai_usage_totals_tenant on ai_usage_totals (tenant_id, slot);
    create table ai_usage_totals_default partition of ai_usage_totals default;
    create index ai_usage_days_key on ai_usage_days (key_id, slot)`)
  for (const table of ['ai_usage_hours', 'ai_usage_days', 'ai_usage_totals']) {
    await enableTenantRows(db, table)
    await enableTenantRows(db, `${table}_default`)
  }
}
