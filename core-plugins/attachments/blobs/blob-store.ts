import { randomUUIDv7 } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { Knex } from 'knex'
import { lockUntilCommit } from '#kernel'
import type { Jobs } from '../../jobs/contract.ts'
import type { ObjectStorage, StoredObject } from '../../storage/contract.ts'
import { namespace } from '../access/open-content.ts'
import { mimeTypeOf } from '../content/file-kind.ts'
import { UploadConflictError } from '../errors.ts'
import { Blob } from '../models.ts'
import { discardKind } from './discard-job.ts'

/** What blobs stand on. */
interface BlobParts {
  readonly db: Knex
  readonly jobs: Jobs
  readonly objects: ObjectStorage
}

/** Bytes that somebody is about to send. */
export interface BegunBlob {
  readonly id: string
  readonly tenantId: number
}

/** Writes down that bytes will come, as part of a transaction; `size` counts as used from then on. */
export async function beginBlob(
  trx: Knex.Transaction,
  { tenantId, ownerId, size }: { readonly tenantId: number; readonly ownerId: number; readonly size: number },
): Promise<BegunBlob> {
  const id = randomUUIDv7()
  await Blob.of(tenantId, trx).insert({ id, ownerId, size: String(size), state: 'uploading' })
  return { id, tenantId }
}

/** Stores the bytes of a blob, whole or not at all, as a file with an extension. */
export async function writeBlob(
  { objects }: BlobParts,
  { id, tenantId }: BegunBlob,
  content: Readable,
  extension: string,
): Promise<StoredObject> {
  const contentType = mimeTypeOf(extension)
  return objects.open(namespace, tenantId).put(id, content, { contentType, ...(extension !== '' && { extension }) })
}

/**
 * Makes what was written a blob that something stands on, as part of a transaction; where the tenant has the same bytes in the same
 * place already, those are taken and the new ones deleted. Throws 409/4098 when it took too long and the bytes were given up.
 */
export async function finishBlob(
  { jobs }: BlobParts,
  trx: Knex.Transaction,
  { id, tenantId }: BegunBlob,
  { sha256: hash, size, driver, storageRef }: StoredObject,
): Promise<string> {
  await lockUntilCommit(trx, `attachments.content:${tenantId}:${hash}`)
  const [same] = await Blob.of(tenantId, trx)
    .where({ storage_ref: storageRef, hash, state: 'ready' })
    .increment('refcount', 1)
    .returning('id')
  if (same) {
    await discardBlob(jobs, trx, { id, tenantId })
    return same.id
  }
  const ready = { state: 'ready', size: String(size), hash, driver, storageRef, refcount: 1 } as const
  const written = await Blob.of(tenantId, trx).where({ id, state: 'uploading' }).patch(ready)
  if (written === 0) throw new UploadConflictError({ fault: 'it took too long' }, { details: { cause: 'expired' } })
  return id
}

/** Takes one more attachment's stand on a blob; answers whether it is still there. */
export async function shareBlob(trx: Knex.Transaction, { id, tenantId }: BegunBlob): Promise<boolean> {
  const shared = await Blob.of(tenantId, trx).where({ id, state: 'ready' }).increment('refcount', 1).returning('id')
  return shared.length === 1
}

/** Takes an attachment's stand away; bytes on which nothing stands any more are deleted by the queue. */
export async function releaseBlob(jobs: Jobs, trx: Knex.Transaction, blob: BegunBlob): Promise<void> {
  const [left] = await Blob.of(blob.tenantId, trx).where({ id: blob.id }).decrement('refcount', 1).returning('*')
  if (left && left.refcount <= 0) await discardBlob(jobs, trx, blob)
}

/** Has the queue delete a blob, unless something stands on it: what was taken for left over may have become an attachment since. */
export async function discardBlob(jobs: Jobs, trx: Knex.Transaction, { id, tenantId }: BegunBlob): Promise<void> {
  const marked = await Blob.of(tenantId, trx).where({ id }).where('refcount', '<=', 0).patch({ state: 'deleting' })
  if (marked > 0) await jobs.enqueue(trx, discardKind, { id }, { tenant: tenantId, dedupe: id })
}
