import type { Knex } from 'knex'
import type { Jobs } from '../../jobs/contract.ts'
import type { KnowledgeBaseRow } from '../tables.ts'

/** The kind of jobs that make vectors. */
export const embedKind = 'knowledge.embed'

/** Has the vectors of a knowledge base made, once for those who ask while nobody has begun. */
export async function enqueueEmbedding(
  jobs: Pick<Jobs, 'enqueue'>,
  trx: Knex.Transaction,
  { id, tenantId }: Pick<KnowledgeBaseRow, 'id' | 'tenantId'>,
): Promise<void> {
  await jobs.enqueue(trx, embedKind, { id }, { tenant: tenantId, key: id, dedupe: id })
}
