import { createHash } from 'node:crypto'
import { BackupError } from '../backup-error.ts'
import type { Piece } from '../manifest.ts'

/** The same content; throws at its end when it is not the piece it is said to be. */
export async function* verified(
  content: AsyncIterable<Buffer>,
  { sha256, bytes }: Piece,
  name: string,
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  let size = 0
  for await (const chunk of content) {
    hash.update(chunk)
    size += chunk.length
    yield chunk
  }
  if (size !== bytes || hash.digest('hex') !== sha256)
    throw new BackupError(`${name} is damaged: it is not what was written`)
}
