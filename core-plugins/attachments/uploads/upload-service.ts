import type { Principal } from '#kernel'
import { FileRejectedError, FileTooLargeError, UploadConflictError } from '../errors.ts'
import { readFileName } from '../content/file-name.ts'
import { Attachment, Upload } from '../models.ts'
import type { AttachmentParts } from '../parts.ts'
import { isScanning } from '../scanning/settings.ts'
import { ChunkStore } from './chunk-store.ts'
import {
  attach,
  demandSame,
  dropContent,
  orgOf,
  storeContent,
  type NewAttachment,
  type StoredContent,
} from './ingest.ts'
import { dropDirect } from './drop-direct.ts'
import type { OneAtATime } from './one-at-a-time.ts'
import { PieceStore } from './piece-store.ts'

/** How far an upload in chunks is. */
export interface ChunkProgress {
  readonly uploadId: string
  readonly chunkIndex: number
  readonly uploaded: readonly number[]
}

/** What was said of bytes before they came. */
interface Announced {
  readonly hash?: string | undefined
  readonly size?: number | undefined
  readonly uploadId?: string
}

/** One chunk as it comes. */
interface IncomingChunk {
  readonly index: number
  readonly count: number | undefined
  readonly hash: string | undefined
  readonly content: AsyncIterable<Buffer>
}

/** Takes the bytes of uploads in. */
export class UploadService {
  readonly #parts: AttachmentParts
  readonly #oneAtATime: OneAtATime

  readonly #settled: (attachment: Attachment) => Promise<void>

  /** `settled` tells others of attachments that can be read at once, once they are there. */
  constructor(parts: AttachmentParts, oneAtATime: OneAtATime, settled: (attachment: Attachment) => Promise<void>) {
    this.#settled = settled
    this.#parts = parts
    this.#oneAtATime = oneAtATime
  }

  /** Makes an attachment of bytes that were stored; they are given up when they are not what was announced. */
  async keep(
    principal: Principal,
    content: StoredContent,
    wanted: NewAttachment,
    announced: Announced = {},
  ): Promise<Attachment> {
    const attachment = await this.#keep(principal, content, wanted, announced)
    await this.#settled(attachment)
    return attachment
  }

  /** Takes a chunk; with the last one that was missing the answer is the attachment. Throws 409/4098 for one that does not fit. */
  async takeChunk(principal: Principal, upload: Upload, chunk: IncomingChunk): Promise<Attachment | ChunkProgress> {
    const made = await this.#madeOf(upload)
    if (made) return made
    const { index, count = upload.chunkCount, hash, content } = chunk
    if (index >= upload.chunkCount || count !== upload.chunkCount) {
      const details = { cause: 'chunk_index', chunk_count: upload.chunkCount }
      throw new UploadConflictError({ fault: `it has ${upload.chunkCount} chunks` }, { details })
    }
    const chunks = new ChunkStore(this.#parts.objects, upload)
    if (hash === undefined || !(await chunks.has(index, hash))) await chunks.put(index, content, hash)
    const uploaded = await chunks.list()
    if (uploaded.length === upload.chunkCount) return this.complete(principal, upload)
    // One that came at the same moment may have been the last, and what was sent is gone since.
    const since = await this.#madeSince(upload, chunks)
    return since ?? { uploadId: upload.id, chunkIndex: index, uploaded }
  }

  /** Makes the attachment of an upload whose bytes are all there; of several who ask at once each gets the one. Throws 409/4098 otherwise. */
  async complete(principal: Principal, upload: Upload): Promise<Attachment> {
    return this.#oneAtATime(`attachments.upload:${upload.id}`, async () => {
      const sent = sentOf(this.#parts, upload)
      return (await this.#madeSince(upload, sent)) ?? this.#join(principal, upload, sent)
    })
  }

  /** Ends an upload that has come to nothing yet: what came of it goes, and its room is free once no link leads there. Throws 409/4098 for one that has ended. */
  async end({ tenantId }: Principal, upload: Upload): Promise<void> {
    await this.#oneAtATime(`attachments.upload:${upload.id}`, async () => {
      const open = Upload.of(tenantId, this.#parts.db).where({ id: upload.id }).whereNull('attachment_id')
      // The row stays until links that were given out have ended: what is sent by them counts, and is swept.
      if ((await open.patch({ expiresAt: new Date() })) === 0) throw hasEnded()
      await this.#forget(upload, new ChunkStore(this.#parts.objects, upload))
    })
  }

  async #keep(
    principal: Principal,
    content: StoredContent,
    wanted: NewAttachment,
    announced: Announced,
  ): Promise<Attachment> {
    const { config, db } = this.#parts
    try {
      demandSame(content, announced)
      const orgId = await orgOf(this.#parts, principal.tenantId, principal.userId)
      const isLookedAt = await isScanning(config)
      return await db.transaction(async (trx) => {
        const made = await attach(this.#parts, trx, principal, content, { ...wanted, orgId }, isLookedAt)
        const { uploadId: id } = announced
        if (id === undefined) return made
        const open = Upload.of(principal.tenantId, trx).where({ id }).whereNull('attachment_id')
        // One that was given up has no room any more.
        const isOpen = (await open.where('expires_at', '>', new Date()).patch({ attachmentId: made.id })) > 0
        if (!isOpen) throw hasEnded()
        return made
      })
    } catch (error) {
      await dropContent(this.#parts, content.blob)
      throw error
    }
  }

  async #join(principal: Principal, upload: Upload, sent: ChunkStore | PieceStore): Promise<Attachment> {
    const content = sent instanceof ChunkStore ? await this.#openChunks(upload, sent) : sent.read()
    const { filename, visibility, usage, hash, id } = upload
    const name = readFileName(filename)
    const size = Number(upload.size)
    const announced = { ...(hash !== '' && { hash }), size, uploadId: id }
    try {
      const incoming = { content, extension: name.extension, mostBytes: size, hasRoom: true }
      const stored = await storeContent(this.#parts, principal, incoming)
      const made = await this.keep(principal, stored, { ...name, visibility, usage }, announced)
      await this.#forget(upload, sent)
      return made
    } catch (error) {
      // What came is of no use: the next try sends all of it again.
      if (error instanceof FileRejectedError || error instanceof FileTooLargeError) await this.#giveUp(upload, sent)
      throw error instanceof FileTooLargeError ? otherSize(size) : error
    }
  }

  /** An upload that goes on where it ended has no way back to its beginning. */
  async #giveUp(upload: Upload, sent: ChunkStore | PieceStore): Promise<void> {
    if (upload.mode === 'tus') await Upload.of(upload.tenantId, this.#parts.db).deleteById(upload.id)
    await this.#forget(upload, sent)
  }

  /** Deletes what was sent; what is left of it goes when the upload expires. */
  async #forget(upload: Upload, sent: ChunkStore | PieceStore): Promise<void> {
    try {
      await sent.clear()
      await dropDirect(this.#parts.volumes, upload)
    } catch (error) {
      this.#parts.log.warn({ err: error, upload_id: upload.id }, 'bytes of an upload are left for the sweep')
    }
  }

  /** All chunks, or what the sender put where the link led. */
  async #openChunks({ storageRef, location, chunkCount }: Upload, chunks: ChunkStore) {
    const uploaded = await chunks.list()
    if (uploaded.length === chunkCount) return chunks.read()
    if (storageRef !== null && location !== null) {
      const { volume } = await this.#parts.volumes.byRef(storageRef)
      const found = await volume.get(location)
      if (found) return found.content as AsyncIterable<Buffer>
    }
    const details = { cause: 'incomplete', uploaded_chunks: uploaded, chunk_count: chunkCount }
    throw new UploadConflictError({ fault: 'not all of it has come' }, { details })
  }

  /** What an upload has come to; throws 409/4098 when that was deleted again. */
  async #madeOf({ tenantId, attachmentId }: Upload): Promise<Attachment | undefined> {
    if (attachmentId === null) return undefined
    const made = await Attachment.of(tenantId, this.#parts.db).findById(attachmentId)
    if (made) return made
    throw hasEnded()
  }

  /** What an upload has come to by now. Throws 409/4098 for one that ended meanwhile: what came after its end goes, for it counts nowhere. */
  async #madeSince({ tenantId, id }: Upload, sent: ChunkStore | PieceStore): Promise<Attachment | undefined> {
    const current = await Upload.of(tenantId, this.#parts.db).findById(id)
    const made = current && (await this.#madeOf(current))
    if (made || (current && current.expiresAt > new Date())) return made
    if (current) await this.#forget(current, sent)
    else await sent.clear()
    throw hasEnded()
  }
}

function sentOf({ objects }: AttachmentParts, upload: Upload): ChunkStore | PieceStore {
  return upload.mode === 'tus' ? new PieceStore(objects, upload) : new ChunkStore(objects, upload)
}

function hasEnded(): Error {
  return new UploadConflictError({ fault: 'it has ended' }, { details: { cause: 'expired' } })
}

function otherSize(size: number): Error {
  return new FileRejectedError({ fault: `it is larger than ${size} bytes` }, { details: { cause: 'size', size } })
}
