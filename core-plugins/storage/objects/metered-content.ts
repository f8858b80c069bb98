import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { StorageQuotaExceededError } from '../errors.ts'

/** Content on its way to a driver, with what is learned of it while it passes. */
interface MeteredContent {
  readonly stream: Readable
  /** Complete once the stream has ended. */
  measured(): { readonly size: number; readonly sha256: string }
}

/** Counts and hashes content, and stops it when it is larger than there is room for. */
export function meterContent(
  content: Buffer | Readable,
  room: { readonly bytes: number; readonly limit: string },
): MeteredContent {
  const hash = createHash('sha256')
  let size = 0
  async function* pass(): AsyncGenerator<Buffer> {
    const source = Buffer.isBuffer(content) ? [content] : (content as AsyncIterable<Buffer | string>)
    for await (const given of source) {
      const chunk = typeof given === 'string' ? Buffer.from(given) : given
      size += chunk.length
      if (size > room.bytes) throw new StorageQuotaExceededError({ details: { limit: room.limit } })
      hash.update(chunk)
      yield chunk
    }
  }
  return {
    stream: Readable.from(pass(), { objectMode: false }),
    measured: () => ({ size, sha256: hash.digest('hex') }),
  }
}
