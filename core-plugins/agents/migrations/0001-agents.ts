import type { Knex } from 'knex'
import { enableTenantRows } from '#kernel'

/** Agents of tenants, their versions, which never change, and who used which one last when. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table ai_agents (
      id text primary key,
      tenant_id int not null,
      code text not null,
      name text not null,
      status text not null check (status in ('draft', 'published')),
      draft jsonb not null,
      tags text[] not null,
      access_mode text not null check (access_mode in ('all', 'restricted')),
      access_roles text[] not null, access_orgs int[] not null, access_users int[] not null,
      active_version int,
      last_version int not null default 0,
      published_at timestamptz,
      revision int not null default 1,
      created_by int,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      -- Kept for conversations that were.
      deleted_at timestamptz
    );
    create unique index ai_agents_code on ai_agents (tenant_id, code) where deleted_at is null;
    create index ai_agents_created on ai_agents (tenant_id, created_at);
    create table ai_agent_versions (
      agent_id text not null references ai_agents (id) on delete cascade,
      version int not null,
      tenant_id int not null,
      definition jsonb not null,
      note text not null,
      created_by int,
      created_at timestamptz not null default now(),
      primary key (agent_id, version)
    );
    create table ai_agent_uses (
      tenant_id int not null,
      user_id int not null,
      agent_id text not null references ai_agents (id) on delete cascade,
      used_at timestamptz not null default now(),
      primary key (tenant_id, user_id, agent_id)
    );
    create index ai_agent_uses_agent on ai_agent_uses (agent_id)`)
  for (const table of ['ai_agents', 'ai_agent_versions', 'ai_agent_uses']) await enableTenantRows(db, table)
}
