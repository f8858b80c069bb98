import type { Knex } from 'knex'
import type { RunningJob } from '../../jobs/contract.ts'
import { VectorsUnfitError } from '../errors.ts'
import { KnowledgeBaseRow, KnowledgeChunkRow, KnowledgeVectorRow } from '../tables.ts'

type Base = Pick<KnowledgeBaseRow, 'id' | 'tenantId'>
type Holder = Pick<RunningJob, 'hold'>

/** The vectors of a knowledge base by one version of a model. */
export interface VectorSet {
  readonly base: Base
  readonly version: number
  /** `name@3`. */
  readonly model: string
}

/** The set that is looked in where that is of this model, else the next one; what was begun with a third one goes. */
export async function beginSet(db: Knex, { id, tenantId }: Base, model: string, job: Holder): Promise<VectorSet> {
  return db.transaction(async (trx) => {
    await job.hold(trx)
    const base = await KnowledgeBaseRow.of(tenantId, trx).findById(id).forUpdate()
    if (!base || base.vectorModel === model) return { base: { id, tenantId }, version: base?.vectorVersion ?? 0, model }
    const version = base.vectorVersion + 1
    if (base.nextModel !== model) {
      await KnowledgeVectorRow.of(tenantId, trx).where({ base_id: id, version }).delete()
      await KnowledgeBaseRow.of(tenantId, trx).findById(id).patch({ nextModel: model })
    }
    return { base: { id, tenantId }, version, model }
  })
}

/** Some chunks that the set lacks. */
export async function withoutVectors(db: Knex, { base, version }: VectorSet, limit: number) {
  const rows = await KnowledgeChunkRow.of(base.tenantId, db)
    .join('ai_knowledge_documents', 'ai_knowledge_documents.id', 'ai_knowledge_chunks.document_id')
    .leftJoin('ai_knowledge_vectors as made', (join) =>
      join.on('made.chunk_id', 'ai_knowledge_chunks.id').andOn('made.version', db.raw('?', [version])),
    )
    .where('ai_knowledge_chunks.base_id', base.id)
    .whereNull('made.chunk_id')
    .orderBy('ai_knowledge_chunks.id')
    .limit(limit)
    .select(
      'ai_knowledge_chunks.id',
      'ai_knowledge_chunks.headings',
      'ai_knowledge_chunks.text',
      'ai_knowledge_documents.title',
    )
  return rows as unknown as readonly Pick<KnowledgeChunkRow & { title: string }, 'id' | 'headings' | 'text' | 'title'>[]
}

/** Keeps vectors of those chunks that are still there. Throws 502/5021 where they have another dimension than those before. */
export async function addVectors(
  db: Knex,
  { base: { id, tenantId }, version }: VectorSet,
  { ids, vectors }: { readonly ids: readonly string[]; readonly vectors: readonly (readonly number[])[] },
  job: Holder,
): Promise<void> {
  await db.transaction(async (trx) => {
    await job.hold(trx)
    // Before the chunks, as whoever deletes it or puts others in their place locks them.
    const base = await KnowledgeBaseRow.of(tenantId, trx).findById(id).forKeyShare().select('id')
    if (!base) return
    const known = await KnowledgeVectorRow.of(tenantId, trx)
      .where({ base_id: id, version })
      .first()
      .select(trx.raw('cardinality(embedding) as dimension'))
    const dimension = (known as unknown as { dimension: number } | undefined)?.dimension
    if (dimension !== undefined && vectors.some(({ length }) => length !== dimension)) throw new VectorsUnfitError()
    // Locked, so that none goes before its vector comes.
    const there = await KnowledgeChunkRow.of(tenantId, trx)
      .whereIn('id', [...ids])
      .orderBy('id')
      .forKeyShare()
      .select('id')
    const isThere = new Set(there.map((chunk) => chunk.id))
    const rows = ids.flatMap((chunkId, at) =>
      isThere.has(chunkId) ? [{ chunkId, version, baseId: id, embedding: [...(vectors[at] ?? [])] }] : [],
    )
    if (rows.length > 0)
      await KnowledgeVectorRow.of(tenantId, trx).insert(rows).onConflict(['chunk_id', 'version']).ignore()
  })
}

/** Has the set looked in from now on, and drops the others; false where chunks have come that it lacks. */
export async function finishSet(db: Knex, set: VectorSet, job: Holder): Promise<boolean> {
  const { base, version, model } = set
  return db.transaction(async (trx) => {
    await job.hold(trx)
    const row = await KnowledgeBaseRow.of(base.tenantId, trx).findById(base.id).forUpdate()
    if (!row) return true
    if ((await withoutVectors(trx, set, 1)).length > 0) return false
    const [measured] = await KnowledgeVectorRow.of(base.tenantId, trx)
      .where({ base_id: base.id, version })
      .limit(1)
      .select(trx.raw('cardinality(embedding) as dimension'))
    const dimension = (measured as unknown as { dimension: number } | undefined)?.dimension ?? null
    await KnowledgeBaseRow.of(base.tenantId, trx)
      .findById(base.id)
      .patch({
        ...{
          vectorModel: model,
          vectorVersion: version,
          vectorDimension: dimension,
          nextModel: null,
          vectorError: null,
        },
      })
    await KnowledgeVectorRow.of(base.tenantId, trx).where({ base_id: base.id }).whereNot({ version }).delete()
    return true
  })
}

/** Forgets all vectors of a knowledge base. */
export async function dropVectors(db: Knex, { id, tenantId }: Base, job: Holder): Promise<void> {
  await db.transaction(async (trx) => {
    await job.hold(trx)
    const none = { vectorModel: null, vectorDimension: null, nextModel: null, vectorError: null }
    await KnowledgeBaseRow.of(tenantId, trx).findById(id).patch(none)
    await KnowledgeVectorRow.of(tenantId, trx).where({ base_id: id }).delete()
  })
}

/** Gives the new chunks of a document the vectors of its old ones that say the same, which cost nothing again. */
export async function carryVectors(
  trx: Knex.Transaction,
  { id, tenantId }: { readonly id: string; readonly tenantId: number },
  fresh: readonly string[],
): Promise<void> {
  await trx
    .raw(
      `insert into ai_knowledge_vectors (chunk_id, version, base_id, tenant_id, embedding)
       select made.id, had.version, had.base_id, had.tenant_id, had.embedding
       from ai_knowledge_chunks as old
       join ai_knowledge_vectors as had on had.chunk_id = old.id
       join ai_knowledge_chunks as made on made.document_id = old.document_id and made.id = any(?)
         and md5(made.text) = md5(old.text) and made.headings = old.headings
       where old.document_id = ? and old.tenant_id = ? and old.id <> all(?)
       on conflict do nothing`,
      [[...fresh], id, tenantId, [...fresh]],
    )
    .queryContext({ tenant: tenantId })
}
