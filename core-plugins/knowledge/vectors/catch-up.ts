import type { Knex } from 'knex'
import type { AiGateway } from '../../ai/contract.ts'
import type { Jobs } from '../../jobs/contract.ts'
import { KnowledgeBaseRow } from '../tables.ts'
import { enqueueEmbedding } from './enqueue-embedding.ts'

/** Has vectors made where they are wanted and of another model, or none: pgvector may be new here, and a model may have a new version. */
export async function catchUpVectors(
  db: Knex,
  gateway: Pick<AiGateway, 'find'>,
  jobs: Pick<Jobs, 'enqueue'>,
): Promise<void> {
  const bases = await KnowledgeBaseRow.acrossTenants(db)
    .whereNotNull('embedding_model')
    .where('chunk_count', '>', 0)
    .select('id', 'tenant_id', 'embedding_model', 'vector_model')
  const late = bases.filter(({ embeddingModel, tenantId, vectorModel }) => {
    const found = gateway.find(embeddingModel ?? '', tenantId)
    return found && vectorModel !== `${found.name}@${String(found.version)}`
  })
  if (late.length === 0) return
  await db.transaction(async (trx) => {
    for (const base of late) await enqueueEmbedding(jobs, trx, base)
  })
}
