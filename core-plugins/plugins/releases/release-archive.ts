import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { ReleaseDamagedError } from '#marketplace'
import type { Knex } from 'knex'
import { ReleaseRow } from '../models.ts'

/** Small enough to be one row of a query, large enough to need few of them. */
const CHUNK_BYTES = 1024 * 1024

/** Stores the zip of a release beside its row, in pieces. */
export async function archiveRelease(trx: Knex.Transaction, releaseId: number, zipPath: string): Promise<void> {
  let position = 0
  for await (const bytes of createReadStream(zipPath, { highWaterMark: CHUNK_BYTES })) {
    await trx('plugin_release_chunks').insert({ release_id: releaseId, position: position++, bytes: bytes as Buffer })
  }
}

/** The zip of a release, piece by piece. */
export function readArchive(db: Knex, { id, name, size }: Pick<ReleaseRow, 'id' | 'name' | 'size'>): Readable {
  async function* chunks(): AsyncGenerator<Buffer> {
    let read = 0
    for (let position = 0; read < size; position++) {
      const row = await db('plugin_release_chunks')
        .where({ release_id: id, position })
        .first<{ readonly bytes: Buffer } | undefined>('bytes')
      if (!row || row.bytes.length === 0) throw new ReleaseDamagedError({ release: name })
      read += row.bytes.length
      yield row.bytes
    }
  }
  return Readable.from(chunks(), { objectMode: false })
}

/** A release by its id. */
export async function getRelease(db: Knex, id: number): Promise<ReleaseRow> {
  const row = await ReleaseRow.with(db).findById(id)
  if (!row) throw new ReleaseDamagedError({ release: `release ${id}` })
  return row
}
