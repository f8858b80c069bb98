import type { Knex } from 'knex'
import type { Scope } from '#kernel'
import { catalogueChanged, type AiGateway } from '../../ai/contract.ts'
import type { Jobs } from '../../jobs/contract.ts'
import { KnowledgeBaseRow } from '../tables.ts'
import { enqueueEmbedding } from './enqueue-embedding.ts'
import { isIndexed, isMade } from './vector-index.ts'

/** What catching up asks. */
type CatchUp = readonly [db: Knex, gateway: Pick<AiGateway, 'find'>, jobs: Pick<Jobs, 'enqueue'>]

/** A change of models is asked about so often after it was heard of, so that this host knows the models as they are by then. */
const looks = 2
const periodMs = 3_000

/** Catches up now, and whenever models change, where the database has vectors: a new version of a model makes other ones. */
export async function keepUpVectors(
  scope: Pick<Scope, 'onChanges' | 'every'>,
  hasVectors: boolean,
  ...parts: CatchUp
): Promise<void> {
  let left = 0
  scope.onChanges(catalogueChanged, () => void (left = hasVectors ? looks : 0))
  scope.every(periodMs, async () => {
    if (left === 0) return
    await catchUp(parts, true)
    left -= 1
  })
  if (hasVectors) await catchUp(parts, false)
}

/**
 * Has vectors made where they are wanted and of another model, or none: pgvector may be new here, and a model may have a new version. What
 * was begun and failed is left to the next start, or document, where `isBegunLeft`.
 */
async function catchUp([db, gateway, jobs]: CatchUp, isBegunLeft: boolean): Promise<void> {
  const bases = await KnowledgeBaseRow.acrossTenants(db)
    .whereNotNull('embedding_model')
    .where('chunk_count', '>', 0)
    .select('id', 'tenant_id', 'embedding_model', 'vector_model', 'next_model')
    .select('vector_version', 'vector_dimension', 'chunk_count')
  const late = bases.filter(({ embeddingModel, tenantId, vectorModel, nextModel }) => {
    const found = gateway.find(embeddingModel ?? '', tenantId)
    const made = isBegunLeft ? [vectorModel, nextModel] : [vectorModel]
    return found && !made.includes(`${found.name}@${String(found.version)}`)
  })
  const lacking = isBegunLeft ? [] : await withoutIndex(db, bases)
  if (late.length + lacking.length === 0) return
  await db.transaction(async (trx) => {
    for (const base of [...late, ...lacking]) await enqueueEmbedding(jobs, trx, base)
  })
}

/** Those that are to have an index and have none: a backup brings none back. */
async function withoutIndex(db: Knex, bases: readonly KnowledgeBaseRow[]): Promise<readonly KnowledgeBaseRow[]> {
  const lacking: KnowledgeBaseRow[] = []
  for (const base of bases.filter(isIndexed)) if (!(await isMade(db, base))) lacking.push(base)
  return lacking
}
