import type { Knex } from 'knex'
import type { KnowledgeBaseRow } from '../tables.ts'

type Base = Pick<KnowledgeBaseRow, 'id' | 'number' | 'tenantId'>

const counted = `
  select substr(lexeme, ? + 1) as term, count(*)::int as chunks
  from ai_knowledge_chunks, lateral unnest(terms)
  where document_id = ? and tenant_id = ? group by 1`

/** Adds what a document's chunks have to how frequent terms are; whoever does has locked the knowledge base. */
export async function addTerms(trx: Knex.Transaction, base: Base, documentId: string): Promise<void> {
  await trx
    .raw(
      `insert into ai_knowledge_terms as known (base_id, tenant_id, term, chunks)
       select ?, ?::int, term, chunks from (${counted}) as counted
       on conflict (base_id, term) do update set chunks = known.chunks + excluded.chunks`,
      [base.id, base.tenantId, prefixLength(base), documentId, base.tenantId],
    )
    .queryContext({ tenant: base.tenantId })
}

/** Takes it away again, before the chunks go. */
export async function subtractTerms(trx: Knex.Transaction, base: Base, documentId: string): Promise<void> {
  // One statement may change a row once: what is left of no chunk goes first, by the counts before.
  const context = { tenant: base.tenantId }
  const bindings = [prefixLength(base), documentId, base.tenantId, base.id]
  const isMeant = 'known.base_id = ? and known.term = counted.term'
  await trx
    .raw(
      `delete from ai_knowledge_terms as known using (${counted}) as counted
       where ${isMeant} and known.chunks <= counted.chunks`,
      bindings,
    )
    .queryContext(context)
  await trx
    .raw(
      `update ai_knowledge_terms as known set chunks = known.chunks - counted.chunks from (${counted}) as counted
       where ${isMeant}`,
      bindings,
    )
    .queryContext(context)
}

/** Counts the documents, chunks and terms of a knowledge base, whose row is locked. */
export async function recount(trx: Knex.Transaction, base: Base): Promise<void> {
  await trx
    .raw(
      `update ai_knowledge_bases set (document_count, chunk_count, term_count) =
         (select count(*), coalesce(sum(chunk_count), 0), coalesce(sum(term_count), 0)
          from ai_knowledge_documents where base_id = ?), updated_at = now()
       where id = ?`,
      [base.id, base.id],
    )
    .queryContext({ tenant: base.tenantId })
}

function prefixLength({ number }: Base): number {
  return `${String(number)}:`.length
}
