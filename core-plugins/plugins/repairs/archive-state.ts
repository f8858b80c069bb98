import { createHash } from 'node:crypto'
import { ReleaseDamagedError } from '#marketplace'
import type { ReleaseRow } from '../models.ts'
import { readArchive, type ArchiveParts } from '../releases/release-archive.ts'

/** How the kept zip of a release is: `gone` also where a part of it is missing. */
export type ArchiveState = 'whole' | 'damaged' | 'gone'

/** Reads the whole zip of a release; throws what the storage throws while it is away. */
export async function readArchiveState(parts: ArchiveParts, release: ReleaseRow): Promise<ArchiveState> {
  const hash = createHash('sha256')
  try {
    for await (const bytes of readArchive(parts, release)) hash.update(bytes as Buffer)
  } catch (error) {
    if (error instanceof ReleaseDamagedError) return 'gone'
    throw error
  }
  return hash.digest('hex') === release.sha256 ? 'whole' : 'damaged'
}
