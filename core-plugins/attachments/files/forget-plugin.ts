import { Attachment } from '../models.ts'
import type { AttachmentParts } from '../parts.ts'
import { removeAttachment } from '../records/remove-attachment.ts'

const batch = 200

/** Deletes what a third-party plugin that is gone made for nobody, and leaves the rest to its owners; answers how many went. */
export async function forgetPlugin(
  parts: Pick<AttachmentParts, 'db' | 'jobs' | 'known'>,
  plugin: string,
): Promise<number> {
  const { db } = parts
  let deleted = 0
  for (;;) {
    const rows = await Attachment.acrossTenants(db)
      .where({ plugin })
      .where((nobodys) => void nobodys.where({ owner_id: 0 }).orWhereNotNull('expires_at'))
      .limit(batch)
    for (const row of rows) await db.transaction((trx) => removeAttachment(parts, trx, row, 'although-used'))
    deleted += rows.length
    if (rows.length < batch) break
  }
  await Attachment.acrossTenants(db).where({ plugin }).patch({ plugin: null })
  return deleted
}
