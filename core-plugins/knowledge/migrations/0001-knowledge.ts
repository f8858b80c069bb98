import type { Knex } from 'knex'
import { enableTenantRows } from '#kernel'

/** Knowledge bases of tenants, their documents, the chunks of these with an index of terms, and how frequent terms are. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table ai_knowledge_bases (
      id text primary key,
      number bigserial,
      tenant_id int not null,
      name text not null,
      description text not null,
      language text,
      access_mode text not null check (access_mode in ('all', 'restricted')),
      access_roles text[] not null, access_orgs int[] not null, access_users int[] not null,
      top_k int not null,
      min_score real not null,
      document_count int not null default 0, chunk_count int not null default 0, term_count bigint not null default 0,
      revision int not null default 1,
      created_by int,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    );
    create index ai_knowledge_bases_created on ai_knowledge_bases (tenant_id, created_at);
    create table ai_knowledge_documents (
      id text primary key,
      base_id text not null references ai_knowledge_bases (id) on delete cascade,
      tenant_id int not null,
      title text not null,
      source text not null check (source in ('text', 'attachment', 'url')),
      attachment_id text, url text, content text, mime_type text, size bigint,
      status text not null check (status in ('queued', 'indexing', 'ready', 'failed')),
      progress int not null default 0,
      chunk_count int not null default 0, term_count bigint not null default 0,
      error jsonb,
      created_by int,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      indexed_at timestamptz
    );
    create index ai_knowledge_documents_base on ai_knowledge_documents (base_id, created_at);
    create table ai_knowledge_chunks (
      id text primary key,
      base_id text not null references ai_knowledge_bases (id) on delete cascade,
      document_id text not null references ai_knowledge_documents (id) on delete cascade,
      tenant_id int not null,
      position int not null,
      headings text[] not null,
      page int,
      text text not null,
      term_count int not null,
      terms tsvector not null
    );
    -- Terms stay in the row, or each look at them would be a read of its own; texts are read of few.
    alter table ai_knowledge_chunks set (toast_tuple_target = 8160);
    alter table ai_knowledge_chunks alter column terms set storage main, alter column text set storage extended;
    create index ai_knowledge_chunks_terms on ai_knowledge_chunks using gin (terms);
    create index ai_knowledge_chunks_document on ai_knowledge_chunks (document_id, position);
    create index ai_knowledge_chunks_base on ai_knowledge_chunks (base_id);
    create table ai_knowledge_terms (
      base_id text not null references ai_knowledge_bases (id) on delete cascade,
      term text collate "C" not null,
      tenant_id int not null,
      chunks int not null,
      primary key (base_id, term)
    )`)
  for (const table of ['bases', 'documents', 'chunks', 'terms']) await enableTenantRows(db, `ai_knowledge_${table}`)
}
