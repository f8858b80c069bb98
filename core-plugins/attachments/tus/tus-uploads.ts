import { randomUUIDv7 } from 'node:crypto'
import type { Locale, Principal } from '#kernel'
import { readQuotas, takeRoom } from '../blobs/room.ts'
import { FileTooLargeError, UploadConflictError, UploadNotFoundError } from '../errors.ts'
import { Upload } from '../models.ts'
import type { AttachmentParts } from '../parts.ts'
import { allowName, demandUploads, readLimits, uploadTtlSeconds } from '../uploads/limits.ts'
import { PieceStore } from '../uploads/piece-store.ts'
import { demandFewOpen } from '../uploads/upload-rows.ts'
import type { UploadService } from '../uploads/upload-service.ts'
import { visibilityFor } from '../uploads/visibility-for.ts'
import { appendBytes, type Appended } from './append-bytes.ts'
import { readMetadata } from './metadata.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** A file that somebody wants to send. */
interface TusFile {
  /** Undefined while the sender does not know. */
  readonly length: number | undefined
  readonly metadata: string
}

/** Uploads by the tus protocol: rules, room, checks and ends are those of every upload. */
export class TusUploads {
  readonly #parts: AttachmentParts
  readonly #uploads: UploadService

  constructor(parts: AttachmentParts, uploads: UploadService) {
    this.#parts = parts
    this.#uploads = uploads
  }

  /** The most that a file may have, in bytes. */
  async largest(): Promise<number> {
    return (await readLimits(this.#parts.config)).fileBytes
  }

  /** Begins one. Throws 403/4036, 400/4008 for a kind that is not taken, 413/4130, 422/4220, 429/4297. */
  async create(principal: Principal, { length, metadata }: TusFile, locale: Locale): Promise<Upload> {
    const { db, config } = this.#parts
    const { tenantId, userId } = principal
    await demandUploads(config, tenantId)
    const limits = await readLimits(config)
    const {
      filename: given,
      filetype = null,
      hash = '',
      usage = 'general',
      visibility,
    } = readMetadata(metadata, locale)
    const { filename } = allowName(given, limits)
    if (length !== undefined) demandFits(length, limits.fileBytes)
    const size = length ?? 0
    const quotas = await readQuotas(config)
    return db.transaction(async (trx) => {
      await takeRoom(trx, quotas, principal, { least: size, most: size })
      await demandFewOpen(trx, principal)
      return Upload.of(tenantId, trx)
        .insert({
          ...{ id: randomUUIDv7(), ownerId: userId, mode: 'tus', filename, mimeType: filetype, usage, metadata },
          ...{ hash: hash.toLowerCase(), visibility: visibilityFor(usage, visibility), size: String(size) },
          ...{ isDeferred: length === undefined, chunkSize: String(limits.chunkBytes), chunkCount: 0 },
          expiresAt: new Date(Date.now() + uploadTtlSeconds * 1000),
        })
        .returning('*')
    })
  }

  /** One of the caller's, as far as it is; throws 404/4045 when there is none or not any more. */
  async find({ tenantId, userId }: Principal, id: string): Promise<Upload> {
    const query = Upload.of(tenantId, this.#parts.db).where({ owner_id: userId, mode: 'tus' })
    const row = uuid.test(id) ? await query.findOne({ id }).where('expires_at', '>', new Date()) : undefined
    if (!row) throw new UploadNotFoundError()
    return row
  }

  /** How far one is: whose bytes have all come is an attachment by then, also where the host died before it was. */
  async look(principal: Principal, id: string): Promise<Upload> {
    return this.finish(principal, await this.find(principal, id))
  }

  /** Goes on with one, and ends it with its last byte. Throws what `appendBytes` does. */
  async append(principal: Principal, upload: Upload, bytes: Appended & { readonly length?: number | undefined }) {
    const { config } = this.#parts
    await demandUploads(config, principal.tenantId)
    const known = bytes.length === undefined ? upload : await this.#declare(principal, upload, bytes.length)
    if (bytes.offset !== Number(known.received)) {
      const details = { cause: 'offset', offset: Number(known.received) }
      throw new UploadConflictError({ fault: `it goes on at ${known.received}` }, { details })
    }
    const { fileBytes } = await readLimits(config)
    const grown = await appendBytes(this.#parts, principal, known, bytes, fileBytes)
    return this.finish(principal, grown)
  }

  /** Makes the attachment of one whose bytes have all come. */
  async finish(principal: Principal, upload: Upload): Promise<Upload> {
    const isWhole = !upload.isDeferred && upload.received === upload.size
    if (!isWhole || upload.attachmentId !== null) return upload
    const { id } = await this.#uploads.complete(principal, upload)
    return { ...upload, attachmentId: id } as Upload
  }

  /** Forgets one with all that was sent of it; what it has come to stays. */
  async terminate(principal: Principal, id: string): Promise<void> {
    const upload = await this.find(principal, id)
    const { db, objects } = this.#parts
    await Upload.of(principal.tenantId, db).deleteById(upload.id)
    await new PieceStore(objects, upload).clear()
  }

  /** Says once how long a file is whose sender did not know. */
  async #declare(principal: Principal, upload: Upload, length: number): Promise<Upload> {
    if (!upload.isDeferred && length === Number(upload.size)) return upload
    const { db, config } = this.#parts
    demandFits(length, (await readLimits(config)).fileBytes)
    const { tenantId } = principal
    const quotas = await readQuotas(config)
    return db.transaction(async (trx) => {
      const current = await Upload.of(tenantId, trx).findById(upload.id).forUpdate()
      if (!current) throw new UploadNotFoundError()
      if (!current.isDeferred || length < Number(current.received)) throw otherLength(current)
      const more = Math.max(0, length - Number(current.size))
      await takeRoom(trx, quotas, principal, { least: more, most: more })
      const [row] = await Upload.of(tenantId, trx)
        .where({ id: upload.id })
        .patch({ size: String(length), isDeferred: false })
        .returning('*')
      if (!row) throw new UploadNotFoundError()
      return row
    })
  }
}

function demandFits(length: number, limit: number): void {
  if (length > limit) throw new FileTooLargeError({ limit }, { details: { limit } })
}

function otherLength({ received, size, isDeferred }: Upload): Error {
  const fault = isDeferred ? `${received} bytes have come already` : `it has ${size} bytes`
  return new UploadConflictError({ fault }, { details: { cause: 'length' } })
}
