import { Attachment } from '../models.ts'
import type { AttachmentParts } from '../parts.ts'
import { removeAttachment } from '../records/remove-attachment.ts'

const batch = 200

/** Deletes files that were to be kept for a while, and that nobody has asked to keep. */
export async function sweepExpired(parts: Pick<AttachmentParts, 'db' | 'jobs' | 'known'>): Promise<void> {
  const { db } = parts
  const over = Attachment.acrossTenants(db).where('expires_at', '<', new Date()).orderBy('expires_at').limit(batch)
  for (const { id, tenantId } of await over.select('id', 'tenant_id')) {
    await db.transaction(async (trx) => {
      // Somebody may have kept it since.
      const row = await Attachment.of(tenantId, trx).findOne({ id }).where('expires_at', '<', new Date()).forUpdate()
      if (row) await removeAttachment(parts, trx, row, 'although-used')
    })
  }
}
