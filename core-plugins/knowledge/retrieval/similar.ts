import type { Knex } from 'knex'
import type { KnowledgeBaseRow } from '../tables.ts'
import { KnowledgeChunkRow, KnowledgeVectorRow } from '../tables.ts'
import { readableBy, type BaseReader } from '../bases/readable-by.ts'
import { indexedColumn, isIndexed } from '../vectors/vector-index.ts'
import { chunkColumns } from './chunk-columns.ts'
import type { FoundChunk } from './lexical.ts'

/** Taken of the chunks that are most similar to a question. */
const mostSimilar = 50
/** So many an index keeps in view on its way: more find more and take longer. */
const looksAt = 200

/** What a question is as a vector, by the model with which the knowledge bases were indexed. */
interface QuestionVector {
  readonly model: string
  readonly vector: readonly number[]
}

/**
 * The chunks of knowledge bases of one tenant that are most similar, best first; their score is the cosine. All of them are looked at, but
 * for large knowledge bases, whose nearest ones an index finds: nearly always all of them.
 */
export async function searchSimilar(
  db: Knex,
  bases: readonly KnowledgeBaseRow[],
  question: QuestionVector,
  reader: BaseReader | undefined,
): Promise<readonly FoundChunk[]> {
  const fit = bases.filter(
    (base) => base.vectorModel === question.model && base.vectorDimension === question.vector.length,
  )
  const [first] = fit
  if (!first) return []
  const { tenantId } = first
  const small = fit.filter((base) => !isIndexed(base))
  const looks = fit.filter(isIndexed).map((base) => nearestIndexed(db, base, question, reader))
  if (small.length > 0) looks.push(nearest(db, small, question, reader))
  const near = (await Promise.all(looks)).flat().sort((a, b) => a.distance - b.distance)
  return shown(db, tenantId, near.slice(0, mostSimilar))
}

/** Of some knowledge bases, by a look at all their vectors. */
function nearest(
  db: Knex,
  bases: readonly KnowledgeBaseRow[],
  { model, vector }: QuestionVector,
  reader: BaseReader | undefined,
): Promise<readonly Near[]> {
  const query = readVectors(db, bases[0]?.tenantId ?? 0, model, reader)
    .whereIn(
      'ai_knowledge_vectors.base_id',
      bases.map(({ id }) => id),
    )
    .select(db.raw('ai_knowledge_vectors.embedding::vector <=> ?::vector as distance', [literalOf(vector)]))
  return query as unknown as Promise<readonly Near[]>
}

/** Of a large knowledge base, through its index; while it has none all its vectors are looked at. */
async function nearestIndexed(
  db: Knex,
  { id, tenantId, vectorVersion, vectorDimension }: KnowledgeBaseRow,
  { model, vector }: QuestionVector,
  reader: BaseReader | undefined,
): Promise<readonly Near[]> {
  const { sql, type } = indexedColumn(vectorDimension ?? 0) ?? {}
  return db.transaction(async (trx) => {
    await trx.raw(
      `select set_config('hnsw.ef_search', ?, true),
              case when (string_to_array(extversion, '.'))[1:2]::int[] >= '{0,8}'
                   then set_config('hnsw.iterative_scan', 'relaxed_order', true) end
         from pg_extension where extname = 'vector'`,
      [String(looksAt)],
    )
    const query = readVectors(trx, tenantId, model, reader)
      .where({ 'ai_knowledge_vectors.base_id': id, 'ai_knowledge_vectors.version': vectorVersion })
      .select(trx.raw(`${sql ?? ''} <=> ?::${type ?? ''} as distance`, [literalOf(vector)]))
    return (await query) as unknown as readonly Near[]
  })
}

/** The nearest vectors that a reader may have, of the set that is looked in. */
function readVectors(db: Knex, tenantId: number, model: string, reader: BaseReader | undefined) {
  const query = KnowledgeVectorRow.of(tenantId, db)
    .join('ai_knowledge_bases', (join) =>
      join
        .on('ai_knowledge_bases.id', 'ai_knowledge_vectors.base_id')
        .andOn('ai_knowledge_bases.vector_version', 'ai_knowledge_vectors.version')
        .andOn('ai_knowledge_bases.vector_model', db.raw('?', [model])),
    )
    .select('ai_knowledge_vectors.chunk_id')
    .orderBy('distance')
    .limit(mostSimilar)
  return reader ? readableBy(query, reader) : query
}

function literalOf(vector: readonly number[]): string {
  return `[${vector.join(',')}]`
}

async function shown(db: Knex, tenantId: number, near: readonly Near[]): Promise<readonly FoundChunk[]> {
  const distances = new Map(near.map(({ chunkId, distance }) => [chunkId, distance]))
  if (distances.size === 0) return []
  const rows = (await KnowledgeChunkRow.of(tenantId, db)
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
