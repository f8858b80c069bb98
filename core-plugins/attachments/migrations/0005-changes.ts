import type { Knex } from 'knex'
import { noteChanges } from '#kernel'

/** Every host keeps records that links lead to, and images made of bytes that may be gone. */
export async function up(db: Knex): Promise<void> {
  await noteChanges(db, {
    table: 'attachments',
    kind: 'attachments.records',
    subject: 'changed.id',
    columns: ['id', 'status', 'visibility', 'owner_id', 'org_id', 'blob_id', 'filename', 'mime_type'],
    on: ['update', 'delete'],
  })
  await noteChanges(db, {
    table: 'attachment_blobs',
    kind: 'attachments.bytes',
    subject: 'changed.hash',
    columns: ['hash'],
    on: ['delete'],
    whereDeleted: 'changed.hash is not null',
  })
}
