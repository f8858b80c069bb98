import type { Knex } from 'knex'
import { enableTenantRows, noteChanges } from '#kernel'

/** Quotas, what is used and held of them, and who holds it; tenant 0 is the platform, whose quotas are over all tenants. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table ai_quotas (
      id text collate "C" primary key,
      tenant_id int not null,
      -- Whether the platform set it, which the tenant then cannot change.
      is_platforms boolean not null,
      name text not null,
      agent_id text, model_id text, key_id text, user_id int, provider_id text,
      per text[] not null default '{}',
      metric text not null,
      amount bigint not null check (amount >= 0),
      span jsonb not null,
      mode text not null,
      estimate text not null,
      on_exceed jsonb not null,
      warn_at double precision[] not null default '{}',
      status text not null,
      version int not null default 1,
      created_by int,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    );
    create index ai_quotas_tenant on ai_quotas (tenant_id, created_at);
    create table ai_quota_buckets (
      tenant_id int not null,
      quota_id text collate "C" not null,
      bucket text collate "C" not null,
      window_start timestamptz not null,
      used bigint not null default 0,
      held bigint not null default 0 check (held >= 0),
      denied bigint not null default 0,
      -- The largest share that was warned of.
      warned double precision not null default 0,
      primary key (quota_id, bucket, window_start)
    ) with (fillfactor = 50);
    create index ai_quota_buckets_window on ai_quota_buckets (window_start);
    create table ai_hold_hosts (
      host_id text primary key,
      seen_at timestamptz not null default now()
    );
    create table ai_holds (
      request_id uuid primary key,
      tenant_id int not null,
      host_id text not null,
      at timestamptz not null,
      expires_at timestamptz not null,
      user_id int, key_id text, agent_id text, conversation_id text,
      purpose text not null,
      model_id text not null, provider_id text not null, model text not null, model_version int not null,
      input_tokens bigint not null,
      output_tokens bigint not null,
      cost_nano bigint not null,
      input_cost_nano bigint not null,
      progress bigint not null default 0
    );
    create index ai_holds_expiry on ai_holds (expires_at);
    create index ai_holds_host on ai_holds (host_id);
    create table ai_quota_leases (
      id uuid primary key,
      tenant_id int not null,
      host_id text not null,
      quota_id text collate "C" not null,
      bucket text collate "C" not null,
      window_start timestamptz not null,
      -- What the bucket holds for it: free, and held by requests that were let in from it.
      amount bigint not null check (amount >= 0),
      is_closed boolean not null default false,
      expires_at timestamptz not null
    );
    create index ai_quota_leases_expiry on ai_quota_leases (expires_at);
    create index ai_quota_leases_bucket on ai_quota_leases (quota_id, bucket, window_start);
    create table ai_quota_holds (
      request_id uuid not null,
      tenant_id int not null,
      quota_id text collate "C" not null,
      bucket text collate "C" not null,
      window_start timestamptz not null,
      amount bigint not null,
      lease_id uuid,
      primary key (request_id, quota_id, bucket)
    );
    create index ai_quota_holds_lease on ai_quota_holds (lease_id) where lease_id is not null`)
  for (const table of ['ai_quotas', 'ai_quota_buckets', 'ai_holds', 'ai_quota_leases', 'ai_quota_holds']) {
    await enableTenantRows(db, table)
  }
  await noteChanges(db, {
    table: 'ai_quotas',
    kind: 'ai_ledger.quotas',
    subject: 'changed.id',
    columns: ['id', 'version', 'status'],
  })
}
