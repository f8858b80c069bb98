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
    const isGone = await dropDirect(volumes, upload).then(
      () => true,
      () => false,
    )
    // Left for the sweep, with nothing that tells of the file: whoever has a link may send it once more.
    const linkEnds = upload.linkExpiresAt ?? new Date(0)
    const isOver = isGone && linkEnds < new Date()
    const left = { expiresAt: isGone ? linkEnds : new Date(), filename: '', hash: '', mimeType: null }
    if (isOver) await Upload.of(tenantId, db).deleteById(upload.id)
    else await Upload.of(tenantId, db).where({ id: upload.id }).patch(left)
  }
  await Upload.of(tenantId, db).delete().whereNull('location')
  await AttachmentReference.of(tenantId, db).delete()
  await Attachment.of(tenantId, db).delete()
  await Blob.of(tenantId, db).delete()
}
