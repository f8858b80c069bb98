import { createHash } from 'node:crypto'
import { raw } from 'objection'
import { MalformedBodyError, type Principal } from '#kernel'
import { readQuotas, takeRoom } from '../blobs/room.ts'
import { FileTooLargeError, UploadChecksumError, UploadConflictError } from '../errors.ts'
import { Upload } from '../models.ts'
import type { AttachmentParts } from '../parts.ts'
import { PieceStore, type StoredPiece } from '../uploads/piece-store.ts'
import { IncomingBytes } from './incoming-bytes.ts'
import type { Checksum } from './request.ts'

/** Bytes with which an upload goes on. */
export interface Appended {
  readonly offset: number
  /** How many are said to come; undefined where the sender does not say. */
  readonly announcedBytes: number | undefined
  readonly checksum: Checksum | undefined
  readonly content: AsyncIterable<Buffer>
}

/** A row names all of them; senders of very small ones end here. */
const mostPieces = 10_000

/**
 * Stores bytes piece by piece, so that a connection or a host that dies loses one at most; with a checksum all or none. Throws 413/4130
 * for more than there may be, 460/4600 for bytes of another checksum, 409/4098 where somebody else has gone on meanwhile.
 */
export async function appendBytes(
  parts: AttachmentParts,
  principal: Principal,
  upload: Upload,
  { announcedBytes = 0, checksum, content }: Appended,
  fileBytes: number,
): Promise<Upload> {
  const room = (upload.isDeferred ? fileBytes : Number(upload.size)) - Number(upload.received)
  if (announcedBytes > room) throw tooLarge(upload, fileBytes)
  const bytes = new IncomingBytes(content)
  const store = new PieceStore(parts.objects, upload)
  const digest = checksum && createHash(checksum.algorithm)
  const staged: StoredPiece[] = []
  let current = upload
  let stored = 0
  try {
    while (await bytes.hasMore()) {
      if (stored === room) throw tooLarge(upload, fileBytes)
      const most = Math.min(Number(upload.chunkSize), room - stored)
      const granted = current.isDeferred ? await takeMore(parts, principal, current, most) : most
      const piece = await store.put(passing(bytes.take(granted), digest))
      stored += piece.size
      staged.push(piece)
      if (!checksum) current = await keep(parts, current, staged.splice(0), store)
    }
    if (bytes.failure !== undefined) throw new MalformedBodyError({ cause: bytes.failure })
    if (checksum && digest?.digest().equals(checksum.digest) === false) throw new UploadChecksumError()
    return await keep(parts, current, staged.splice(0), store)
  } catch (error) {
    await store.drop(staged)
    throw error
  }
}

async function* passing(
  content: AsyncIterable<Buffer>,
  digest: ReturnType<typeof createHash> | undefined,
): AsyncGenerator<Buffer> {
  for await (const bytes of content) {
    digest?.update(bytes)
    yield bytes
  }
}

/** Writes down that pieces belong to an upload that nobody has gone on with meanwhile. */
async function keep(
  { db }: AttachmentParts,
  upload: Upload,
  pieces: readonly StoredPiece[],
  store: PieceStore,
): Promise<Upload> {
  if (pieces.length === 0) return upload
  const received = pieces.reduce((sum, { size }) => sum + size, Number(upload.received))
  const [row] = await Upload.of(upload.tenantId, db)
    .where({ id: upload.id, received: upload.received })
    .whereNull('attachment_id')
    .whereRaw('cardinality(pieces) < ?', [mostPieces])
    .patch({
      received: String(received),
      ...(upload.isDeferred && { size: String(received) }),
      pieces: raw(`pieces || string_to_array(?, ',')`, pieces.map(({ key }) => key).join(',')) as never,
    })
    .returning('*')
  if (row) return row
  await store.drop(pieces)
  throw upload.pieces.length >= mostPieces ? tooMany() : overtaken()
}

/** Room for a piece of a file whose length nobody knows yet: what it has counts as used. */
async function takeMore(
  { db, config }: AttachmentParts,
  principal: Principal,
  { id, tenantId, received }: Upload,
  most: number,
): Promise<number> {
  const quotas = await readQuotas(config)
  return db.transaction(async (trx) => {
    const granted = await takeRoom(trx, quotas, principal, { least: 1, most })
    const size = String(Number(received) + granted)
    await Upload.of(tenantId, trx).where({ id, received, is_deferred: true }).patch({ size })
    return granted
  })
}

function tooLarge({ size, isDeferred }: Upload, fileBytes: number): Error {
  const limit = isDeferred ? fileBytes : Number(size)
  return new FileTooLargeError({ limit }, { details: { limit } })
}

function overtaken(): Error {
  return new UploadConflictError({ fault: 'another request has gone on with it' }, { details: { cause: 'offset' } })
}

function tooMany(): Error {
  const details = { cause: 'pieces', limit: mostPieces }
  return new UploadConflictError({ fault: `it has come in ${mostPieces} pieces` }, { details })
}
