import type { Knex } from 'knex'
import type { Principal } from '#kernel'
import { openUploads } from '../blobs/room.ts'
import { AttachmentQuotaError, UploadConflictError } from '../errors.ts'
import { Upload } from '../models.ts'

type Owner = Pick<Principal, 'tenantId' | 'userId'>

/** Of one user at once: those of a byte take no room that would end them. */
const mostOpen = 1000

/** Throws 429/4297 for whoever has too many that have come to nothing yet. */
export async function demandFewOpen(db: Knex, { tenantId, userId }: Owner): Promise<void> {
  if ((await openUploads(db, tenantId).where({ owner_id: userId }).resultSize()) < mostOpen) return
  throw new AttachmentQuotaError({ details: { of: 'uploads', limit: mostOpen } })
}

/** An upload in forms of the caller's that has not expired. */
export async function findUpload(db: Knex, { tenantId, userId }: Owner, id: string): Promise<Upload | undefined> {
  return await Upload.of(tenantId, db)
    .findOne({ id, owner_id: userId })
    .whereNot('mode', 'tus')
    .where('expires_at', '>', new Date())
}

/** The same; throws 409/4098 where there is none. */
export async function getUpload(db: Knex, owner: Owner, id: string): Promise<Upload> {
  const row = await findUpload(db, owner, id)
  if (!row)
    throw new UploadConflictError({ fault: 'there is none, or not any more' }, { details: { cause: 'expired' } })
  return row
}

/** An upload of the same bytes by the caller that has come to nothing yet, for at least another minute. */
export async function findResumable(
  db: Knex,
  { tenantId, userId }: Owner,
  { hash, size }: { readonly hash: string; readonly size: number },
): Promise<Upload | undefined> {
  return await Upload.of(tenantId, db)
    .where({ owner_id: userId, hash, size })
    .whereNull('attachment_id')
    .whereNot('mode', 'tus')
    .where('expires_at', '>', new Date(Date.now() + 60_000))
    .orderBy('created_at', 'desc')
    .first()
}
