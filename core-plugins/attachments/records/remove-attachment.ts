import type { Knex } from 'knex'
import type { Jobs } from '../../jobs/contract.ts'
import type { KnownAttachments } from '../access/known-attachments.ts'
import { releaseBlob } from '../blobs/blob-store.ts'
import { Attachment } from '../models.ts'
import { demandUnused, dropReferencesTo } from '../references/references.ts'

/** What a removal stands on. */
interface RemovalParts {
  readonly jobs: Jobs
  readonly known: KnownAttachments
}

/**
 * Deletes a record as part of a transaction; its bytes go when nothing else stands on them. Answers what it was, or undefined where it is gone
 * by now; throws 409/4095 while somebody needs it, unless it goes all the same.
 */
export async function removeAttachment(
  { jobs, known }: RemovalParts,
  trx: Knex.Transaction,
  { id, tenantId }: Pick<Attachment, 'id' | 'tenantId'>,
  how: 'unless-used' | 'although-used',
): Promise<Attachment | undefined> {
  const row = await Attachment.of(tenantId, trx).findOne({ id }).forUpdate()
  if (!row) return undefined
  if (how === 'unless-used') await demandUnused(trx, row)
  else await dropReferencesTo(trx, row)
  await Attachment.of(tenantId, trx).where({ id }).delete()
  known.forgetAfter(trx, id)
  await releaseBlob(jobs, trx, { id: row.blobId, tenantId })
  return row
}
