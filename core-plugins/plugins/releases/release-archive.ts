import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { AppError } from '#kernel'
import { ReleaseDamagedError } from '#marketplace'
import type { Knex } from 'knex'
import type { ObjectStorage } from '../../storage/contract.ts'
import { PluginNotFoundError, ReleaseUnavailableError } from '../shared/errors.ts'
import { ReleaseRow } from '../shared/models.ts'
import { openArchives, archiveKeyOf } from './shared-archives.ts'

/** Small enough to be one row of a query, large enough to need few of them. */
const chunkBytes = 1024 * 1024

/** Where zips lie: in the database, and with a storage that all hosts share in that. */
export interface ArchiveParts {
  readonly db: Knex
  readonly storage: ObjectStorage
}

/** What of a release names its zip. */
export type ArchivedRelease = Pick<ReleaseRow, 'id' | 'name' | 'size' | 'sha256'>

/** Stores the zip of a release beside its row, in pieces; from there it moves to a shared storage. */
export async function archiveRelease(trx: Knex.Transaction, releaseId: number, zipPath: string): Promise<void> {
  let position = 0
  for await (const bytes of createReadStream(zipPath, { highWaterMark: chunkBytes })) {
    await trx('plugin_release_chunks').insert({ release_id: releaseId, position: position++, bytes: bytes as Buffer })
  }
}

/** The zip of a release, piece by piece: from the database, and what has left that from the shared storage. */
export function readArchive(parts: ArchiveParts, release: ArchivedRelease): Readable {
  async function* pieces(): AsyncGenerator<Buffer> {
    let read = 0
    for await (const bytes of chunksOf(parts.db, release)) {
      read += bytes.length
      yield bytes
    }
    // Also when it moved while it was read.
    if (read < release.size) yield* readShared(parts.storage, release, read)
  }
  return Readable.from(pieces(), { objectMode: false })
}

/** What the database has of a release's zip, from its beginning. */
export async function* chunksOf(db: Knex, { id, size }: Pick<ArchivedRelease, 'id' | 'size'>): AsyncGenerator<Buffer> {
  for (let position = 0, read = 0; read < size; position++) {
    const row = await db('plugin_release_chunks')
      .where({ release_id: id, position })
      .first<{ readonly bytes: Buffer } | undefined>('bytes')
    if (!row || row.bytes.length === 0) return
    read += row.bytes.length
    yield row.bytes
  }
}

/** A release by the id that a plugin has of it: without it the plugin went, or went on to another, after that was read. */
export async function getRelease(db: Knex, id: number): Promise<ReleaseRow> {
  const row = await ReleaseRow.with(db).findById(id)
  if (!row) throw new PluginNotFoundError()
  return row
}

/** A storage that is away passes; a zip that nobody knows of does not. */
async function* readShared(storage: ObjectStorage, release: ArchivedRelease, from: number): AsyncGenerator<Buffer> {
  const range = from === 0 ? undefined : { start: from, end: release.size - 1 }
  try {
    const found = await openArchives(storage).get(archiveKeyOf(release), { range })
    if (!found) throw new ReleaseDamagedError({ release: release.name })
    for await (const bytes of found.content) yield bytes as Buffer
  } catch (error) {
    if (error instanceof ReleaseDamagedError || !(error instanceof AppError)) throw error
    throw new ReleaseUnavailableError({ release: release.name }, { cause: error })
  }
}
