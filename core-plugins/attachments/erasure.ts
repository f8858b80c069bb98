import type { Knex } from 'knex'
import { Attachment, Blob, Upload } from './models.ts'

/** Deletes every row of a tenant that is no more; its bytes go with its objects. */
export async function eraseTenant(db: Knex, tenantId: number): Promise<void> {
  await Upload.of(tenantId, db).delete()
  await Attachment.of(tenantId, db).delete()
  await Blob.of(tenantId, db).delete()
}
