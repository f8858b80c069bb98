import type { Knex } from 'knex'
import type { StorageVolumes } from '../storage/contract.ts'
import { Attachment, AttachmentReference, Blob, Upload } from './models.ts'
import { dropDirect } from './uploads/drop-direct.ts'

/** What an erasure stands on. */
interface ErasureParts {
  readonly db: Knex
  readonly volumes: StorageVolumes
}

/** Deletes every row of a tenant that is no more; its bytes go with its objects, but for those that senders put where a link led. */
export async function eraseTenant({ db, volumes }: ErasureParts, tenantId: number): Promise<void> {
  const direct = await Upload.of(tenantId, db).whereNotNull('location')
  for (const upload of direct) {
    // Left for the sweep, with nothing that tells of the file.
    const over = { expiresAt: new Date(), filename: '', hash: '', mimeType: null }
    const isGone = await dropDirect(volumes, upload).then(
      () => true,
      () => false,
    )
    if (!isGone) await Upload.of(tenantId, db).where({ id: upload.id }).patch(over)
    else await Upload.of(tenantId, db).deleteById(upload.id)
  }
  await Upload.of(tenantId, db).delete().whereNull('location')
  await AttachmentReference.of(tenantId, db).delete()
  await Attachment.of(tenantId, db).delete()
  await Blob.of(tenantId, db).delete()
}
