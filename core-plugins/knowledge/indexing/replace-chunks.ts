import type { Knex } from 'knex'
import { createSortableId } from '#kernel'
import type { ReadChunk } from '../reading/wire.ts'
import { vectorOf } from '../retrieval/index-terms.ts'
import { KnowledgeBaseRow, KnowledgeChunkRow, KnowledgeDocumentRow } from '../tables.ts'
import { carryVectors } from '../vectors/vector-sets.ts'
import { addTerms, recount, subtractTerms } from './term-counts.ts'

const batch = 200

/**
 * Puts the chunks of a document in the place of those that it had: whoever looks finds the ones or the others. Answers its knowledge base;
 * nothing happens to a document that is no more.
 */
export async function replaceChunks(
  trx: Knex.Transaction,
  { id, baseId, tenantId, title }: KnowledgeDocumentRow,
  chunks: readonly ReadChunk[],
  about: Partial<KnowledgeDocumentRow>,
): Promise<KnowledgeBaseRow | undefined> {
  // Before the document, as whoever deletes one locks them.
  const base = await KnowledgeBaseRow.of(tenantId, trx).findById(baseId).forUpdate()
  const document = base && (await KnowledgeDocumentRow.of(tenantId, trx).findById(id).forUpdate().select('id'))
  if (!base || !document) return undefined
  await subtractTerms(trx, base, id)
  const ids: string[] = []
  for (let at = 0; at < chunks.length; at += batch) {
    const rows = chunks.slice(at, at + batch).map(({ headings, page, text, termCount, terms }, index) => ({
      ...{ id: createSortableId('chk'), baseId, documentId: id, position: at + index },
      ...{ headings: [...headings], page, text, termCount, terms: vectorOf(base.number, terms) },
    }))
    await KnowledgeChunkRow.of(tenantId, trx).insert(rows)
    ids.push(...rows.map((row) => row.id))
  }
  if (about.title === title) await carryVectors(trx, { id, tenantId }, ids)
  await KnowledgeChunkRow.of(tenantId, trx).where({ document_id: id }).whereRaw('id <> all(?)', [ids]).delete()
  await addTerms(trx, base, id)
  const counts = { chunkCount: chunks.length, termCount: chunks.reduce((sum, { termCount }) => sum + termCount, 0) }
  const now = new Date()
  await KnowledgeDocumentRow.of(tenantId, trx)
    .findById(id)
    .patch({ ...about, ...counts, status: 'ready', progress: 100, error: null, indexedAt: now, updatedAt: now })
  await recount(trx, base)
  return base
}
