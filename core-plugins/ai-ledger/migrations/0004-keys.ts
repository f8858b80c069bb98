import type { Knex } from 'knex'
import { enableTenantRows, noteChanges } from '#kernel'

/** API keys and their secrets, of which there are keyed hashes alone; the keys of the hashes are sealed. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table ai_key_peppers (
      version int primary key,
      sealed text not null,
      created_at timestamptz not null default now()
    );
    create table ai_api_keys (
      id text primary key,
      tenant_id int not null,
      name text not null,
      user_id int,
      scopes text[] not null, models text[] not null, agents text[] not null, tools text[] not null,
      ip_allow text[] not null,
      expires_at timestamptz,
      status text not null,
      metadata jsonb not null default '{}',
      version int not null default 1,
      created_by int,
      last_used_at timestamptz,
      last_used_ip text,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    );
    create index ai_api_keys_tenant on ai_api_keys (tenant_id, created_at);
    create index ai_api_keys_created on ai_api_keys (created_at);
    create index ai_api_keys_user on ai_api_keys (tenant_id, user_id) where user_id is not null;
    create table ai_api_key_secrets (
      id uuid primary key,
      tenant_id int not null,
      key_id text not null references ai_api_keys (id) on delete cascade,
      hash text not null,
      pepper_version int not null references ai_key_peppers (version),
      hint text not null,
      created_at timestamptz not null default now(),
      not_after timestamptz
    );
    create index ai_api_key_secrets_key on ai_api_key_secrets (key_id)`)
  for (const table of ['ai_api_keys', 'ai_api_key_secrets']) await enableTenantRows(db, table)
  // Not when it was used last, which changes often and opens nothing.
  const columns = ['id', 'version', 'status', 'expires_at']
  await noteChanges(db, { table: 'ai_api_keys', kind: 'ai_ledger.keys', subject: 'changed.id', columns })
  await noteChanges(db, {
    table: 'ai_api_key_secrets',
    kind: 'ai_ledger.keys',
    subject: 'changed.key_id',
    columns: ['key_id', 'not_after', 'hash'],
  })
}
