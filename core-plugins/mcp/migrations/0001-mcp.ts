import type { Knex } from 'knex'
import { enableTenantRows } from '#kernel'

/** Servers of tools, of the platform (tenant 0) and of tenants, their secrets, and their tools as they were approved. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table ai_mcp_servers (
      id text primary key,
      tenant_id int not null,
      name text not null,
      url text not null,
      auth jsonb not null,
      timeout_ms int not null,
      status text not null check (status in ('enabled', 'disabled')),
      revision text,
      info jsonb,
      last_look jsonb,
      version int not null default 1,
      created_by int,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    );
    create unique index ai_mcp_servers_name on ai_mcp_servers (tenant_id, name);
    create index ai_mcp_servers_created on ai_mcp_servers (tenant_id, created_at);
    create table ai_mcp_secrets (
      server_id text not null references ai_mcp_servers (id) on delete cascade,
      field text not null,
      tenant_id int not null,
      bound_to text not null,
      -- Bound to table, server, field, tenant and origin.
      sealed text not null,
      hint text not null,
      rotated_at timestamptz not null default now(),
      primary key (server_id, field)
    );
    create table ai_mcp_tools (
      server_id text not null references ai_mcp_servers (id) on delete cascade,
      name text not null,
      tenant_id int not null,
      definition jsonb,
      hash text,
      present boolean not null,
      unfit text,
      allowed boolean not null,
      approved jsonb,
      approved_hash text,
      approved_by int,
      approved_at timestamptz,
      effect text not null check (effect in ('read', 'write', 'external')),
      confirm text not null check (confirm in ('never', 'write', 'always')),
      primary key (server_id, name)
    )`)
  for (const table of ['ai_mcp_servers', 'ai_mcp_secrets', 'ai_mcp_tools']) await enableTenantRows(db, table)
}
