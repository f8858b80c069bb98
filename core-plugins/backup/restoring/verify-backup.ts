import { createHash } from 'node:crypto'
import { BackupError } from '../backup-error.ts'
import { CopyOut } from '../database/copy-out.ts'
import { copyOutOf } from '../database/dump-table.ts'
import { loadDatabase } from '../database/load-database.ts'
import { openSession, quoted, type Session } from '../database/session.ts'
import { decodeSchema } from '../database/stored-schema.ts'
import type { BackupManifest, TableContent } from '../manifest.ts'
import type { Progress } from '../progress.ts'
import type { BackupTarget } from '../target/backup-target.ts'
import { checkPieces } from './check-pieces.ts'
import { clearSchema } from './clear-schema.ts'
import { requireSchema } from './restore-backup.ts'

/** Restores a backup into a scratch database and compares rows and hashes of every table; leaves the database as it was. */
export async function verifyBackup(
  target: BackupTarget,
  manifest: BackupManifest,
  scratchUrl: string,
  progress: Progress,
): Promise<void> {
  await checkPieces(target, manifest, progress)
  await using session = await openSession(scratchUrl, 'stoa-restore')
  requireSchema(session, manifest)
  await session.client.query('begin')
  await clearSchema(session, false)
  const schema = decodeSchema(await target.getPart(manifest.schema))
  await loadDatabase(session, { target, manifest, schema, progress })
  await session.client.query('set constraints all immediate')
  for (const table of manifest.tables) await compare(session, table)
  await session.client.query('rollback')
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
  progress(`verified: ${manifest.tables.length} tables with ${rows} rows came back as they were`)
}

async function compare({ client }: Session, { name, columns, rows, sha256 }: TableContent): Promise<void> {
  const hash = createHash('sha256')
  const copy = client.query(new CopyOut(copyOutOf(name, columns)))
  for await (const chunk of copy) hash.update(chunk)
  const counted = await client.query<{ rows: string }>(`select count(*) as rows from ${quoted(name)}`)
  if (copy.rows === rows && Number(counted.rows[0]?.rows) === rows && hash.digest('hex') === sha256) return
  throw new BackupError(`${name} did not come back as it was: ${copy.rows} rows of ${rows}`)
}
