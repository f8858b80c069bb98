import { createHash } from 'node:crypto'
import { ReleaseDamagedError } from '#marketplace'
import type { ReleaseRow } from '../shared/models.ts'
import { readArchive, type ArchiveParts } from '../releases/release-archive.ts'

/** How the kept zip of a release is: `gone` where nothing of it is there, `damaged` where it is not what was installed. */
export type ArchiveState = 'whole' | 'damaged' | 'gone'

/** Reads the whole zip of a release; throws what the storage throws while it is away. */
export async function readArchiveState(parts: ArchiveParts, release: ReleaseRow): Promise<ArchiveState> {
  const hash = createHash('sha256')
  let read = 0
  try {
    for await (const bytes of readArchive(parts, release)) {
      read += (bytes as Buffer).length
      hash.update(bytes as Buffer)
    }
  } catch (error) {
    if (error instanceof ReleaseDamagedError) return read === 0 ? 'gone' : 'damaged'
    throw error
  }
  return hash.digest('hex') === release.sha256 ? 'whole' : 'damaged'
}
