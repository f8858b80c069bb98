import type { Knex } from 'knex'
import type { Jobs } from '../../jobs/contract.ts'
import { Attachment } from '../models.ts'
import { removeAttachment } from '../records/remove-attachment.ts'

const batch = 200

/** Deletes files that were to be kept for a while, and that nobody has asked to keep. */
export async function sweepExpired({ db, jobs }: { readonly db: Knex; readonly jobs: Jobs }): Promise<void> {
  const over = Attachment.acrossTenants(db).where('expires_at', '<', new Date()).orderBy('expires_at').limit(batch)
  for (const { id, tenantId } of await over.select('id', 'tenant_id')) {
    await db.transaction(async (trx) => {
      // Somebody may have kept it since.
      const row = await Attachment.of(tenantId, trx).findOne({ id }).where('expires_at', '<', new Date()).forUpdate()
      if (row) await removeAttachment(jobs, trx, row, 'although-used')
    })
  }
}
