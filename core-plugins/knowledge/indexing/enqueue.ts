import type { Knex } from 'knex'
import type { Jobs } from '../../jobs/contract.ts'
import type { KnowledgeDocumentRow } from '../tables.ts'

/** The kind of jobs that index documents. */
export const indexKind = 'knowledge.index'

/** Has a document indexed, once for those who ask while nobody has begun. */
export async function enqueueIndexing(
  jobs: Pick<Jobs, 'enqueue'>,
  trx: Knex.Transaction,
  { id, tenantId }: Pick<KnowledgeDocumentRow, 'id' | 'tenantId'>,
): Promise<void> {
  await jobs.enqueue(trx, indexKind, { id }, { tenant: tenantId, dedupe: id })
}
