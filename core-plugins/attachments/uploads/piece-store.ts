import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import type { ObjectStorage } from '../../storage/contract.ts'
import { UploadConflictError } from '../errors.ts'
import type { Upload } from '../models.ts'

/** Bytes of an upload that are stored and not yet known to be its own. */
export interface StoredPiece {
  readonly key: string
  readonly size: number
}

/** The pieces of one upload, as long as they came: stored objects, whose order stands in its row, and which go by themselves when it expires. */
export class PieceStore {
  readonly #objects: ObjectStorage
  readonly #upload: Upload

  constructor(objects: ObjectStorage, upload: Upload) {
    this.#objects = objects
    this.#upload = upload
  }

  /** Stores what there is of a content, whole or not at all; two who send the same piece at once have one each. */
  async put(content: AsyncIterable<Buffer>): Promise<StoredPiece> {
    const key = randomUUID()
    const ttlSeconds = Math.max(1, Math.ceil((this.#upload.expiresAt.getTime() - Date.now()) / 1000))
    const stream = Readable.from(content, { objectMode: false })
    const { size } = await this.#store().put(key, stream, { ttlSeconds })
    return { key, size }
  }

  /** The bytes of all of them, one after the other. */
  async *read(): AsyncGenerator<Buffer> {
    for (const key of this.#upload.pieces) {
      const found = await this.#store().get(key)
      if (!found) throw new UploadConflictError({ fault: 'a piece is gone' }, { details: { cause: 'expired' } })
      try {
        for await (const bytes of found.content) yield bytes as Buffer
      } finally {
        found.content.destroy()
      }
    }
  }

  /** Deletes some that are none of its own. */
  async drop(pieces: readonly StoredPiece[]): Promise<void> {
    for (const { key } of pieces) await this.#store().delete(key)
  }

  /** Deletes all of them. */
  async clear(): Promise<void> {
    await this.#objects.clear(this.#namespace)
  }

  get #namespace(): string {
    return `attachments/uploads/${this.#upload.id}`
  }

  #store() {
    return this.#objects.open(this.#namespace, this.#upload.tenantId)
  }
}
