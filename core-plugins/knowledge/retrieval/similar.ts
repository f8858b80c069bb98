import type { Knex } from 'knex'
import type { KnowledgeBaseRow } from '../tables.ts'
import { KnowledgeChunkRow, KnowledgeVectorRow } from '../tables.ts'
import { readableBy, type BaseReader } from '../bases/readable-by.ts'
import { indexedColumn, isIndexed } from '../vectors/vector-index.ts'
import { atOneMoment } from './at-one-moment.ts'
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
  return atOneMoment(db, async (trx) => {
    const near = small.length > 0 ? [...(await nearest(trx, small, question, reader))] : []
    for (const base of fit.filter(isIndexed)) near.push(...(await nearestIndexed(trx, base, question, reader)))
    return shown(trx, tenantId, near.sort((a, b) => a.distance - b.distance).slice(0, mostSimilar))
  })
}

/** Of some knowledge bases, by a look at all their vectors. */
function nearest(
  trx: Knex.Transaction,
  bases: readonly KnowledgeBaseRow[],
  { model, vector }: QuestionVector,
  reader: BaseReader | undefined,
): Promise<readonly Near[]> {
  const query = readVectors(trx, bases[0]?.tenantId ?? 0, model, reader)
    .whereIn(
      'ai_knowledge_vectors.base_id',
      bases.map(({ id }) => id),
    )
    .select(trx.raw('ai_knowledge_vectors.embedding::vector <=> ?::vector as distance', [literalOf(vector)]))
  return query as unknown as Promise<readonly Near[]>
}

/** Of a large knowledge base, through its index; while it has none all its vectors are looked at. */
async function nearestIndexed(
  trx: Knex.Transaction,
  { id, tenantId, vectorVersion, vectorDimension }: KnowledgeBaseRow,
  { model, vector }: QuestionVector,
  reader: BaseReader | undefined,
): Promise<readonly Near[]> {
  const { sql, type } = indexedColumn(vectorDimension ?? 0) ?? {}
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
}

/** The nearest vectors that a reader may have, of the set that is looked in. */
function readVectors(trx: Knex.Transaction, tenantId: number, model: string, reader: BaseReader | undefined) {
  const query = KnowledgeVectorRow.of(tenantId, trx)
    .join('ai_knowledge_bases', (join) =>
      join
        .on('ai_knowledge_bases.id', 'ai_knowledge_vectors.base_id')
        .andOn('ai_knowledge_bases.vector_version', 'ai_knowledge_vectors.version')
        .andOn('ai_knowledge_bases.vector_model', trx.raw('?', [model])),
    )
    .select('ai_knowledge_vectors.chunk_id')
    .orderBy('distance')
    .limit(mostSimilar)
  return reader ? readableBy(query, reader) : query
}

function literalOf(vector: readonly number[]): string {
  return `[${vector.join(',')}]`
}

async function shown(trx: Knex.Transaction, tenantId: number, near: readonly Near[]): Promise<readonly FoundChunk[]> {
  const distances = new Map(near.map(({ chunkId, distance }) => [chunkId, distance]))
  if (distances.size === 0) return []
  const rows = (await KnowledgeChunkRow.of(tenantId, trx)
    .join('ai_knowledge_documents', 'ai_knowledge_documents.id', 'ai_knowledge_chunks.document_id')
    .whereIn('ai_knowledge_chunks.id', [...distances.keys()])
    .select(trx.raw(`${chunkColumns}, ai_knowledge_documents.title`))) as unknown as FoundChunk[]
  return rows
    .map((row) => Object.assign(row, { score: Math.min(1, Math.max(0, 1 - (distances.get(row.id) ?? 1))) }))
    .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
}

interface Near {
  readonly chunkId: string
  readonly distance: number
}
