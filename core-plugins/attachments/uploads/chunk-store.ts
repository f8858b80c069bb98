import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { ObjectStorage } from '../../storage/contract.ts'
import { FileRejectedError, UploadConflictError } from '../errors.ts'
import type { Upload } from '../models.ts'

const page = 1000

/** The chunks of one upload: stored objects of their own, which every host sees, and which go by themselves when the upload expires. */
export class ChunkStore {
  readonly #objects: ObjectStorage
  readonly #upload: Upload

  constructor(objects: ObjectStorage, upload: Upload) {
    this.#objects = objects
    this.#upload = upload
  }

  /** The numbers of those that came, from 0. */
  async list(): Promise<readonly number[]> {
    const numbers: number[] = []
    for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
      const { items, nextCursor } = await this.#store().list({ cursor, limit: page })
      numbers.push(...items.map(({ key }) => Number(key)))
      cursor = nextCursor
    }
    return numbers
  }

  /** Whether a chunk with this hash is there. */
  async has(index: number, hash: string): Promise<boolean> {
    const found = await this.#store().stat(keyOf(index))
    return found?.sha256 === hash.toLowerCase()
  }

  /** Stores a chunk, whole or not at all. Throws 409/4098 for a wrong length, 400/4008 for a wrong hash. */
  async put(index: number, content: AsyncIterable<Buffer>, hash: string | undefined): Promise<void> {
    const stream = Readable.from(exactly(content, this.sizeOf(index), hash?.toLowerCase()), { objectMode: false })
    const ttlSeconds = Math.max(1, Math.ceil((this.#upload.expiresAt.getTime() - Date.now()) / 1000))
    await this.#store().put(keyOf(index), stream, { ttlSeconds })
  }

  /** The bytes of all chunks, one after the other. */
  async *read(): AsyncGenerator<Buffer> {
    for (let index = 0; index < this.#upload.chunkCount; index++) {
      const found = await this.#store().get(keyOf(index))
      if (!found)
        throw new UploadConflictError({ fault: `chunk ${index} is gone` }, { details: { chunk_index: index } })
      try {
        for await (const piece of found.content) yield piece as Buffer
      } finally {
        found.content.destroy()
      }
    }
  }

  /** Deletes all of them. */
  async clear(): Promise<void> {
    await this.#objects.clear(this.#namespace)
  }

  /** The length that a chunk has: all but the last are equal. */
  sizeOf(index: number): number {
    const { size, chunkSize, chunkCount } = this.#upload
    return index < chunkCount - 1 ? Number(chunkSize) : Number(size) - Number(chunkSize) * (chunkCount - 1)
  }

  get #namespace(): string {
    return `attachments/uploads/${this.#upload.id}`
  }

  #store() {
    return this.#objects.open(this.#namespace, this.#upload.tenantId)
  }
}

function keyOf(index: number): string {
  return String(index).padStart(6, '0')
}

async function* exactly(
  content: AsyncIterable<Buffer>,
  size: number,
  hash: string | undefined,
): AsyncGenerator<Buffer> {
  const digest = hash === undefined ? undefined : createHash('sha256')
  let total = 0
  for await (const piece of content) {
    total += piece.length
    if (total > size) break
    digest?.update(piece)
    yield piece
  }
  if (total !== size) {
    throw new UploadConflictError({ fault: `this chunk has ${size} bytes` }, { details: { cause: 'chunk_size', size } })
  }
  if (digest && digest.digest('hex') !== hash) {
    throw new FileRejectedError({ fault: 'a chunk is not what was announced' }, { details: { cause: 'checksum' } })
  }
}
