import type { Knex } from 'knex'

/** As `hashedTerm` has it. */
const hashed = `translate(substr(encode(sha256(convert_to(base.salt || substr(lexeme, strpos(lexeme, ':') + 1), 'UTF8')), 'base64'), 1, 12), '+/', '-_')`
const indexed = (chunks: string) => `
  insert into ai_knowledge_index (chunk_id, terms)
    select chunk.id, array_to_tsvector(array(select distinct ${hashed} from unnest(chunk.terms)))
      from ${chunks} chunk join ai_knowledge_bases base on base.id = chunk.base_id`

/**
 * What chunks are found by. PostgreSQL uses no GIN index of a table with row-level security, because the operators of `tsvector` may tell of
 * rows that nobody may see. So the terms stand here a second time, in a table without it that tells nothing: as hashes with a salt that
 * only the knowledge base's tenant can read, beside the id of a chunk. What is found is read from the chunks, which have it. The database
 * keeps it, for hosts of the version before as well.
 */
export async function up(db: Knex): Promise<void> {
  await db
    .raw(
      `
    drop index ai_knowledge_chunks_terms;
    alter table ai_knowledge_bases add column salt text not null default replace(gen_random_uuid()::text, '-', '');
    create table ai_knowledge_index (
      chunk_id text primary key references ai_knowledge_chunks (id) on delete cascade,
      terms tsvector not null
    );
    -- None of it is read but through the index.
    alter table ai_knowledge_index set (toast_tuple_target = 128);
    ${indexed('ai_knowledge_chunks')};
    create index ai_knowledge_index_terms on ai_knowledge_index using gin (terms);
    create function ai_knowledge_index_added() returns trigger language plpgsql as $$
      begin
        ${indexed('added')};
        return null;
      end $$;
    create trigger ai_knowledge_index_added after insert on ai_knowledge_chunks
      referencing new table as added for each statement execute function ai_knowledge_index_added()`,
    )
    .queryContext({ tenant: 'all' })
}
