import type { Knex } from 'knex'
import type { Principal } from '#kernel'
import { UploadConflictError } from '../errors.ts'
import { Upload } from '../models.ts'

type Owner = Pick<Principal, 'tenantId' | 'userId'>

/** An upload of the caller's that has not expired; throws 409/4098 otherwise. */
export async function getUpload(db: Knex, { tenantId, userId }: Owner, id: string): Promise<Upload> {
  const row = await Upload.of(tenantId, db).findOne({ id, owner_id: userId }).where('expires_at', '>', new Date())
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
    .where('expires_at', '>', new Date(Date.now() + 60_000))
    .orderBy('created_at', 'desc')
    .first()
}
