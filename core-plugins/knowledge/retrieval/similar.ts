import type { Knex } from 'knex'
import type { KnowledgeBaseRow } from '../tables.ts'
import { KnowledgeChunkRow, KnowledgeVectorRow } from '../tables.ts'
import { readableBy, type BaseReader } from '../bases/readable-by.ts'
import { chunkColumns } from './chunk-columns.ts'
import type { FoundChunk } from './lexical.ts'

/** Taken of the chunks that are most similar to a question. */
const mostSimilar = 50

/** What a question is as a vector, by the model with which the knowledge bases were indexed. */
interface QuestionVector {
  readonly model: string
  readonly vector: readonly number[]
}

/** The chunks of knowledge bases of one tenant that are most similar, best first; their score is the cosine. All of them are looked at. */
export async function searchSimilar(
  db: Knex,
  bases: readonly KnowledgeBaseRow[],
  { model, vector }: QuestionVector,
  reader: BaseReader | undefined,
): Promise<readonly FoundChunk[]> {
  const fit = bases.filter((base) => base.vectorModel === model && base.vectorDimension === vector.length)
  const [first] = fit
  if (!first) return []
  const asked = `[${vector.join(',')}]`
  const query = KnowledgeVectorRow.of(first.tenantId, db)
    .join('ai_knowledge_bases', (join) =>
      join
        .on('ai_knowledge_bases.id', 'ai_knowledge_vectors.base_id')
        .andOn('ai_knowledge_bases.vector_version', 'ai_knowledge_vectors.version')
        .andOn('ai_knowledge_bases.vector_model', db.raw('?', [model])),
    )
    .whereIn(
      'ai_knowledge_vectors.base_id',
      fit.map(({ id }) => id),
    )
    .select(
      'ai_knowledge_vectors.chunk_id',
      db.raw('ai_knowledge_vectors.embedding::vector <=> ?::vector as distance', [asked]),
    )
    .orderBy('distance')
    .limit(mostSimilar)
  const nearest = (await (reader ? readableBy(query, reader) : query)) as unknown as readonly Near[]
  const distances = new Map(nearest.map(({ chunkId, distance }) => [chunkId, distance]))
  if (distances.size === 0) return []
  const rows = (await KnowledgeChunkRow.of(first.tenantId, db)
    .join('ai_knowledge_documents', 'ai_knowledge_documents.id', 'ai_knowledge_chunks.document_id')
    .whereIn('ai_knowledge_chunks.id', [...distances.keys()])
    .select(db.raw(`${chunkColumns}, ai_knowledge_documents.title`))) as unknown as FoundChunk[]
  return rows
    .map((row) => Object.assign(row, { score: Math.min(1, Math.max(0, 1 - (distances.get(row.id) ?? 1))) }))
    .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
}

interface Near {
  readonly chunkId: string
  readonly distance: number
}
