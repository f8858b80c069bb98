import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { createGunzip, createGzip } from 'node:zlib'
import type { Knex } from 'knex'
import { BackupDamagedError } from './errors.ts'
import type { BackupFile, BackupRow } from './models.ts'

/** Small enough to be one row of a query, large enough to need few of them. */
const chunkBytes = 1024 * 1024
/** What is read at once of a file of lines. */
const batchBytes = 2 * 1024 * 1024
const lineEnd = 10

/** Writes a file of a backup, compressed and in pieces; answers what it is, and how many bytes it takes. */
export async function writeBackupFile(
  trx: Knex.Transaction,
  backupId: number,
  file: string,
  content: AsyncIterable<string> | Iterable<string>,
): Promise<BackupFile & { readonly stored: number }> {
  const hash = createHash('sha256')
  let size = 0
  async function* metered(): AsyncGenerator<Buffer> {
    for await (const text of content) {
      const bytes = Buffer.from(text)
      hash.update(bytes)
      size += bytes.length
      yield bytes
    }
  }
  let stored = 0
  let position = 0
  for await (const bytes of inPieces(Readable.from(metered(), { objectMode: false }).pipe(createGzip()))) {
    await trx('plugin_backup_chunks').insert({ backup_id: backupId, file, position: position++, bytes })
    stored += bytes.length
  }
  return { sha256: hash.digest('hex'), size, stored }
}

/** A file of a backup as it was written; throws 500/5003 at its end when it is not what was written. */
export async function* readBackupFile(db: Knex, backup: BackupRow, file: string): AsyncGenerator<Buffer> {
  const expected = backup.files[file]
  const hash = createHash('sha256')
  const damaged = (cause?: unknown) => new BackupDamagedError({ backup: backup.name, file }, { cause })
  if (!expected) throw damaged()
  const pieces = Readable.from(chunksOf(db, backup.id, file), { objectMode: false })
  const content = pieces.compose(createGunzip()) as AsyncIterable<Buffer>
  const iterator = content[Symbol.asyncIterator]()
  for (;;) {
    const next = await iterator.next().catch((error: unknown) => {
      throw isCompressionFault(error) ? damaged(error) : error
    })
    if (next.done) break
    hash.update(next.value)
    yield next.value
  }
  if (hash.digest('hex') !== expected.sha256) throw damaged()
}

/** A small file of a backup as a value. */
export async function readBackupJson(db: Knex, backup: BackupRow, file: string): Promise<unknown> {
  const pieces: Buffer[] = []
  for await (const bytes of readBackupFile(db, backup, file)) pieces.push(bytes)
  return JSON.parse(Buffer.concat(pieces).toString('utf8'))
}

/** The lines of a file, some of them at a time, each batch as a JSON array that nobody has parsed. */
export async function* readBackupRows(db: Knex, backup: BackupRow, file: string): AsyncGenerator<string> {
  let kept: Buffer[] = []
  let size = 0
  for await (const bytes of readBackupFile(db, backup, file)) {
    kept.push(bytes)
    size += bytes.length
    if (size < batchBytes || !bytes.includes(lineEnd)) continue
    const all = Buffer.concat(kept)
    const end = all.lastIndexOf(lineEnd)
    yield toArray(all.subarray(0, end))
    kept = [all.subarray(end + 1)]
    size = all.length - end - 1
  }
  const rest = Buffer.concat(kept)
  if (rest.length > 0) yield toArray(rest.at(-1) === lineEnd ? rest.subarray(0, -1) : rest)
}

/** Lines of JSON have no line ends within. */
function toArray(lines: Buffer): string {
  return `[${lines.toString('utf8').replaceAll('\n', ',')}]`
}

async function* chunksOf(db: Knex, backupId: number, file: string): AsyncGenerator<Buffer> {
  for (let position = 0; ; position++) {
    const where = { backup_id: backupId, file, position }
    const row = await db('plugin_backup_chunks').where(where).first<{ readonly bytes: Buffer } | undefined>('bytes')
    if (!row) return
    yield row.bytes
  }
}

async function* inPieces(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let kept: Buffer[] = []
  let size = 0
  for await (const bytes of content) {
    kept.push(bytes)
    size += bytes.length
    if (size < chunkBytes) continue
    yield Buffer.concat(kept)
    kept = []
    size = 0
  }
  if (size > 0) yield Buffer.concat(kept)
}

function isCompressionFault(error: unknown): boolean {
  return /^(Z_|ERR_ZLIB|ERR_STREAM_PREMATURE)/.test(String((error as { code?: unknown }).code))
}
