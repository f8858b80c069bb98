import { randomUUIDv7 } from 'node:crypto'
import type { Knex } from 'knex'
import type { Principal } from '#kernel'
import { beginBlob, discardBlob, finishBlob, writeBlob, type BegunBlob } from '../blobs/blob-store.ts'
import { readQuotas, takeRoom } from '../blobs/room.ts'
import { mimeTypeOf } from '../content/file-kind.ts'
import type { FileName } from '../content/file-name.ts'
import { inspectContent } from '../content/inspect-content.ts'
import { AttachmentQuotaError, FileRejectedError, FileTooLargeError } from '../errors.ts'
import { Attachment, type Blob, type Usage, type Visibility } from '../models.ts'
import type { AttachmentParts } from '../parts.ts'
import { enqueueScan } from '../scanning/enqueue-scan.ts'
import { demandNotInfected } from '../scanning/infected-hashes.ts'

/** What an attachment will be, beside its bytes. */
export interface NewAttachment extends FileName {
  readonly visibility: Visibility
  readonly usage: Usage
}

/** Bytes on their way. */
interface IncomingContent {
  readonly content: AsyncIterable<Buffer>
  readonly extension: string
  /** The most that there may be. */
  readonly mostBytes: number
  /** The most that there can be by what the sender says, where that is less. */
  readonly announcedBytes?: number | undefined
  /** Whether an upload that was announced has the room already. */
  readonly hasRoom?: boolean
}

/** Bytes that are stored and belong to nothing yet. */
export interface StoredContent {
  readonly blob: BegunBlob
  readonly stored: Awaited<ReturnType<typeof writeBlob>>
  readonly width: number | null
  readonly height: number | null
  readonly frames: number | null
}

/**
 * Stores bytes as they come. Throws 400/4008 for bytes of another kind, 413/4130 and 429/4297 where they are too many; nothing is left
 * then, and what a crash leaves is known.
 */
export async function storeContent(
  parts: AttachmentParts,
  { tenantId, userId }: Pick<Principal, 'tenantId' | 'userId'>,
  { content, extension, mostBytes, announcedBytes = mostBytes, hasRoom = false }: IncomingContent,
): Promise<StoredContent> {
  const { db, config } = parts
  const quotas = await readQuotas(config)
  const { blob, room } = await db.transaction(async (trx) => {
    const wanted = { least: 1, most: Math.min(mostBytes, announcedBytes) }
    const size = hasRoom ? 0 : await takeRoom(trx, quotas, { tenantId, userId }, wanted)
    return { blob: await beginBlob(trx, { tenantId, ownerId: userId, size }), room: hasRoom ? mostBytes : size }
  })
  try {
    const inspected = inspectContent(content, extension, [
      { bytes: mostBytes, error: () => new FileTooLargeError({ limit: mostBytes }, { details: { limit: mostBytes } }) },
      { bytes: room, error: () => new AttachmentQuotaError({ details: { of: 'user_or_tenant' } }) },
    ])
    const stored = await writeBlob(parts, blob, inspected.stream, extension)
    const { width = null, height = null } = inspected.imageSize() ?? {}
    return { blob, stored, width, height, frames: inspected.frames() ?? null }
  } catch (error) {
    await dropContent(parts, blob)
    throw error
  }
}

/** Gives up bytes that were stored. */
export async function dropContent({ db, jobs }: AttachmentParts, blob: BegunBlob): Promise<void> {
  await db.transaction((trx) => discardBlob(jobs, trx, blob))
}

/** Throws 400/4008 when bytes are not those that were announced. */
export function demandSame(
  { stored: { sha256, size } }: StoredContent,
  announced: { readonly hash?: string | undefined; readonly size?: number | undefined },
): void {
  const isSame = announced.hash === undefined || announced.hash.toLowerCase() === sha256
  if (isSame && (announced.size === undefined || announced.size === size)) return
  const cause = isSame ? 'size' : 'checksum'
  const details = { cause, size, hash: sha256 }
  throw new FileRejectedError({ fault: 'its content is not what was announced' }, { details })
}

/**
 * Makes an attachment of stored bytes, as part of a transaction, which nothing in it leaves for a second connection; one that is looked at first is
 * pending. Throws 400/4008 for infected bytes.
 */
export async function attach(
  parts: AttachmentParts,
  trx: Knex.Transaction,
  { tenantId, userId }: Pick<Principal, 'tenantId' | 'userId'>,
  content: StoredContent,
  wanted: NewAttachment & Pick<Attachment, 'orgId'> & Partial<Pick<Attachment, 'plugin' | 'expiresAt'>>,
  isLookedAt: boolean,
): Promise<Attachment> {
  const { stored, width, height, frames } = content
  if (isLookedAt) await demandNotInfected(trx, stored.sha256)
  const blobId = await finishBlob(parts, trx, content.blob, stored)
  const { sha256: hash, size, driver, storageRef } = stored
  const status = isLookedAt ? 'pending' : 'ready'
  const bytes = { blobId, size: String(size), hash, driver, storageRef, width, height, frames, status } as const
  const made = await insertAttachment(trx, tenantId, { ...wanted, ...bytes, ownerId: userId })
  if (isLookedAt) await enqueueScan(parts.jobs, trx, made)
  return made
}

/** Writes a record. */
export async function insertAttachment(
  trx: Knex.Transaction,
  tenantId: number,
  {
    filename,
    extension,
    visibility,
    usage,
    status = 'ready',
    ...rest
  }: NewAttachment & Partial<Attachment> & { blobId: Blob['id'] },
): Promise<Attachment> {
  return Attachment.of(tenantId, trx)
    .insert({
      ...rest,
      id: randomUUIDv7(),
      filename,
      extension,
      mimeType: mimeTypeOf(extension),
      visibility,
      usage,
      status,
    })
    .returning('*')
}

/** The organisation node that what a user makes belongs to; asked before a transaction, which has a connection of its own already. */
export async function orgOf({ access }: AttachmentParts, tenantId: number, userId: number): Promise<number | null> {
  return tenantId === 0 ? null : access.primaryOrgOf(tenantId, userId)
}
