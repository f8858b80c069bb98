import type { Knex } from 'knex'
import type { Jobs } from '../../jobs/contract.ts'
import type { Attachment } from '../models.ts'

/** The kind of jobs that have files looked at. */
export const scanKind = 'attachments.scan'

/** Has a file looked at, once for those who ask while nobody has begun. */
export async function enqueueScan(
  jobs: Jobs,
  trx: Knex.Transaction,
  { id, tenantId }: Pick<Attachment, 'id' | 'tenantId'>,
): Promise<void> {
  await jobs.enqueue(trx, scanKind, { id }, { tenant: tenantId, dedupe: id })
}
