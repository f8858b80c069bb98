import { PayloadTooLargeError, type UploadedFile } from '#kernel'
import type { AttachmentOwner, GuestAttachment, GuestAttachments } from '../broker/attachments.ts'
import type { EffectiveLimits } from '../grants.ts'
import type { PluginRoute } from '../manifest/plugin-manifest.ts'

const megabyte = 1_048_576
const mostFiles = 5
/** As long as uploads that were announced: a page may send the rest of a form later. */
const ttlSeconds = 86_400
/** What stands around files in a form. */
const frameBytes = megabyte

/** One file of a form, as it comes. */
type FormFile = Pick<UploadedFile, 'field' | 'filename'> & { readonly content: AsyncIterable<Buffer> }

/** A form, whose fields are known once its files have been read. */
export interface FormFiles extends AsyncIterable<FormFile> {
  readonly fields: Readonly<Record<string, string>>
}

/** What a form has become: the body that a handler sees. */
export interface ReceivedForm {
  readonly fields: Readonly<Record<string, string>>
  readonly files: readonly object[]
}

/** How many files a form of a route may have, and how large each may be. */
export function formBounds(
  { maxFiles = mostFiles, maxFileMb }: Pick<PluginRoute, 'maxFiles' | 'maxFileMb'>,
  limits: EffectiveLimits,
) {
  return {
    maxFiles: Math.min(maxFiles, limits.uploadFiles),
    maxFileBytes: Math.min(maxFileMb ?? limits.uploadMb, limits.uploadMb) * megabyte,
  }
}

/** Throws 413/4130 for a form that says it is larger than any may be. */
export function demandFormSize(contentLength: string | undefined, { uploadMb }: EffectiveLimits): void {
  const limit = uploadMb * megabyte
  if (Number(contentLength ?? 0) > limit + frameBytes) throw new PayloadTooLargeError({ limit })
}

/** The files of a form on their way to a plugin: each is stored as it comes, and goes unless the plugin keeps it. */
export class FormReceiver {
  readonly #files: GuestAttachments
  readonly #owner: AttachmentOwner
  readonly #limits: EffectiveLimits
  readonly #made: GuestAttachment[] = []

  constructor(files: GuestAttachments, owner: AttachmentOwner, limits: EffectiveLimits) {
    this.#files = files
    this.#owner = owner
    this.#limits = limits
  }

  /** Stores the files. Throws 413/4130 beyond what all of them may have, and what `create` throws. */
  async receive(form: FormFiles): Promise<ReceivedForm> {
    const { uploadMb, attachmentQuotaMb } = this.#limits
    const most = uploadMb * megabyte
    const files: object[] = []
    let left = most
    const counted = async function* (content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
      for await (const piece of content) {
        left -= piece.length
        if (left < 0) throw new PayloadTooLargeError({ limit: most })
        yield piece
      }
    }
    for await (const { field, filename, content } of form) {
      const made = await this.#files.create(this.#owner, {
        ...{ filename, content: counted(content), mostBytes: most, ttlSeconds: ttlSeconds },
        quotaBytes: attachmentQuotaMb * megabyte,
      })
      this.#made.push(made)
      const { id, mimeType, size, hash, width, height } = made
      files.push({ field, id, filename: made.filename, mimeType, size, hash, width, height })
    }
    return { fields: { ...form.fields }, files }
  }

  /** Deletes what came and was not kept: its request has failed. What cannot be deleted now goes when its time is over. */
  async drop(): Promise<void> {
    for (const { id } of this.#made) {
      const file = await this.#files.find(this.#owner, id)
      if (file?.plugin === this.#owner.plugin && file.expiresAt !== null) await this.#files.delete(this.#owner, id)
    }
  }
}
