import { randomUUID, randomUUIDv7 } from 'node:crypto'
import { ValidationFailedError, type Principal, type Tenant } from '#kernel'
import { readsAsMember } from '../access/readable-by.ts'
import { shareBlob } from '../blobs/blob-store.ts'
import { readQuotas, takeRoom } from '../blobs/room.ts'
import { mimeTypeOf } from '../content/file-kind.ts'
import { FileRejectedError, HashAlgorithmError } from '../errors.ts'
import { Attachment, Upload, type UploadMode, type Usage, type Visibility } from '../models.ts'
import type { AttachmentParts } from '../parts.ts'
import type { AttachmentService } from '../records/attachment-service.ts'
import { demandNotInfected } from '../scanning/infected-hashes.ts'
import { isScanning } from '../scanning/settings.ts'
import { ChunkStore } from './chunk-store.ts'
import { insertAttachment, orgOf, type NewAttachment } from './ingest.ts'
import { allowName, demandUploads, readLimits, uploadTtlSeconds, type UploadLimits } from './limits.ts'
import { demandFewOpen, findResumable } from './upload-rows.ts'
import { visibilityFor } from './visibility-for.ts'

/** A single PUT of S3 takes no more. */
const directMost = 5 * 1024 ** 3
const linkSeconds = 3600
const sha256 = 'sha256'
const sha256Digits = 64

/** A file that somebody wants to upload. */
interface AnnouncedFile {
  readonly filename: string
  readonly size: number
  readonly hash: string
  readonly hash_algorithm?: string
  readonly mime_type?: string
  readonly usage?: Usage
  readonly visibility?: Visibility
}

/** Answers announcements of files. */
export class Preflight {
  readonly #parts: AttachmentParts
  readonly #attachments: AttachmentService

  constructor(parts: AttachmentParts, attachments: AttachmentService) {
    this.#parts = parts
    this.#attachments = attachments
  }

  /**
   * An attachment at once where the caller can read a file with these bytes, otherwise how to upload it: an upload of the same bytes goes on.
   * Throws 403/4036, 422/4222 for the hash of another algorithm, 400/4008 for a file that would be refused, 429/4297 without room.
   */
  async announce(principal: Principal, tenant: Tenant | undefined, file: AnnouncedFile) {
    const { db, config } = this.#parts
    await demandUploads(config, principal.tenantId)
    demandSha256(file)
    const limits = await readLimits(config)
    const { size, usage = 'general' } = file
    const name = allowName(file.filename, limits)
    if (size > limits.fileBytes) throw tooLarge(limits)
    const hash = file.hash.toLowerCase()
    if (await isScanning(config)) await demandNotInfected(db, hash)
    const wanted = { ...name, usage, visibility: visibilityFor(usage, file.visibility) }
    const instant = await this.#instant(principal, { hash, size }, wanted)
    if (instant) {
      return { exists: true, instant: true, attachment: await this.#attachments.present(instant, tenant) } as const
    }
    const open = await findResumable(db, principal, { hash, size })
    const { filename, visibility } = wanted
    const fresh = { filename, visibility, usage, mimeType: file.mime_type ?? null }
    if (!open) return this.#present(await this.#begin(principal, { ...fresh, size, hash }, limits))
    await Upload.of(principal.tenantId, db).where({ id: open.id }).patch(fresh)
    return this.#present({ ...open, ...fresh } as Upload)
  }

  /** Only files that the caller can read anyway: a hash proves nothing. The bytes were looked at when they came, as what they are there. */
  async #instant(
    principal: Principal,
    { hash, size }: { readonly hash: string; readonly size: number },
    wanted: NewAttachment,
  ): Promise<Attachment | undefined> {
    const { db, config } = this.#parts
    const { tenantId, userId } = principal
    const same = await Attachment.of(tenantId, db)
      .where({ hash, size, status: 'ready', mime_type: mimeTypeOf(wanted.extension) })
      .where((readable) => {
        void readable.where('visibility', 'public')
        if (readsAsMember(principal)) void readable.orWhere('visibility', 'tenant').orWhere('owner_id', userId)
      })
      .first()
    if (!same) return undefined
    const orgId = await orgOf(this.#parts, tenantId, userId)
    const quotas = await readQuotas(config)
    return db.transaction(async (trx) => {
      await takeRoom(trx, quotas, { tenantId, userId }, { least: size, most: size })
      if (!(await shareBlob(trx, { id: same.blobId, tenantId }))) return undefined
      const { blobId, driver, storageRef, width, height, frames, duration } = same
      const bytes = { blobId, size: String(size), hash, driver, storageRef, width, height, frames, duration }
      return insertAttachment(trx, tenantId, { ...wanted, ...bytes, ownerId: userId, orgId })
    })
  }

  async #begin(
    { tenantId, userId }: Principal,
    file: Pick<Upload, 'filename' | 'visibility' | 'usage' | 'mimeType' | 'hash'> & { readonly size: number },
    { chunkBytes }: UploadLimits,
  ): Promise<Upload> {
    const { db, config, volumes } = this.#parts
    const { ref, volume } = await volumes.current(tenantId)
    const { size } = file
    const isDirect = volume.presignPut !== undefined && size > 0 && size <= directMost
    const mode: UploadMode = isDirect ? 'direct' : size > chunkBytes ? 'chunk' : 'single'
    const place = isDirect ? { storageRef: ref, location: `t${tenantId}/incoming/${randomUUID()}` } : {}
    const quotas = await readQuotas(config)
    return db.transaction(async (trx) => {
      await takeRoom(trx, quotas, { tenantId, userId }, { least: size, most: size })
      await demandFewOpen(trx, { tenantId, userId })
      return Upload.of(tenantId, trx)
        .insert({
          ...{ ...file, ...place, mode, id: randomUUIDv7(), ownerId: userId, size: String(size) },
          chunkSize: String(chunkBytes),
          chunkCount: Math.max(1, Math.ceil(size / chunkBytes)),
          expiresAt: new Date(Date.now() + uploadTtlSeconds * 1000),
        })
        .returning('*')
    })
  }

  async #present(upload: Upload) {
    const { id, mode, chunkSize, chunkCount, expiresAt } = upload
    const uploaded = await new ChunkStore(this.#parts.objects, upload).list()
    const direct = mode === 'direct' ? await this.#link(upload) : undefined
    return {
      exists: false,
      instant: false,
      mode,
      upload_id: id,
      chunk_size: Number(chunkSize),
      chunk_count: chunkCount,
      uploaded_chunks: uploaded,
      expires_at: expiresAt.toISOString(),
      ...(direct && { direct }),
    } as const
  }

  /** Where the sender may put the bytes itself; what comes is looked at before anything stands on it. */
  async #link({ id, tenantId, storageRef, location, filename, size, expiresAt }: Upload) {
    if (storageRef === null || location === null) return undefined
    const { db, volumes } = this.#parts
    const { volume } = await volumes.byRef(storageRef)
    const left = Math.floor((expiresAt.getTime() - Date.now()) / 1000)
    const seconds = Math.max(1, Math.min(linkSeconds, left))
    const linkExpiresAt = new Date(Date.now() + seconds * 1000)
    await Upload.of(tenantId, db).where({ id }).patch({ linkExpiresAt })
    const contentType = mimeTypeOf(/\.([a-z0-9]+)$/i.exec(filename)?.[1]?.toLowerCase() ?? '')
    const request = await volume.presignPut?.(location, { seconds, contentType, size: Number(size) })
    return request && { ...request, expires_at: linkExpiresAt.toISOString() }
  }
}

/** Throws 422/4222 for another algorithm, 422/4220 for what is none of its hashes. */
function demandSha256({ hash, hash_algorithm: given = sha256 }: AnnouncedFile): void {
  if (given !== sha256) {
    const fault = { field: 'hash_algorithm', rule: 'options', message: `must be ${sha256}` }
    throw new HashAlgorithmError({ errors: [{ ...fault, params: { options: [sha256] } }] })
  }
  if (hash.length === sha256Digits) return
  const message = `must have ${sha256Digits} hexadecimal digits`
  throw new ValidationFailedError({ errors: [{ field: 'hash', rule: 'pattern', message }] })
}

function tooLarge({ fileBytes }: UploadLimits): Error {
  const details = { cause: 'size', limit: fileBytes }
  return new FileRejectedError({ fault: `a file may have ${fileBytes} bytes at most` }, { details })
}
