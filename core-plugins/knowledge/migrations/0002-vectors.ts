import type { Knex } from 'knex'
import { enableTenantRows } from '#kernel'

/**
 * Vectors of chunks, one set for each model that a knowledge base was indexed with: the one that is looked in, and the next while it is made.
 * They are plain numbers, so that the tables and backups of them need no pgvector.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table ai_knowledge_bases
      add column embedding_model text,
      add column vector_model text, add column vector_dimension int, add column vector_version int not null default 0,
      add column next_model text,
      add column vector_error jsonb;
    create table ai_knowledge_vectors (
      chunk_id text not null references ai_knowledge_chunks (id) on delete cascade,
      version int not null,
      base_id text not null references ai_knowledge_bases (id) on delete cascade,
      tenant_id int not null,
      embedding real[] not null,
      primary key (chunk_id, version)
    );
    -- In the row: a look at all of a knowledge base reads each of them.
    alter table ai_knowledge_vectors set (toast_tuple_target = 8160);
    alter table ai_knowledge_vectors alter column embedding set storage main;
    create index ai_knowledge_vectors_base on ai_knowledge_vectors (base_id, version)`)
  await enableTenantRows(db, 'ai_knowledge_vectors')
}
