import type { SecretBox } from '#kernel'
import { BackupError } from '../backup-error.ts'
import { loadDatabase } from '../database/load-database.ts'
import { openSession, type Session } from '../database/session.ts'
import { decodeSchema } from '../database/stored-schema.ts'
import { Volumes, type OpenVolume } from '../volumes.ts'
import type { BackupManifest } from '../manifest.ts'
import type { Progress } from '../progress.ts'
import type { BackupTarget } from '../target/backup-target.ts'
import { checkPieces } from './check-pieces.ts'
import { clearSchema, requireNoHost } from './clear-schema.ts'
import { placeFiles } from './place-files.ts'

/** Where a backup is restored to. */
interface RestorePlace {
  /** Asked for once the backup was checked. */
  readonly openDatabase: () => Promise<string>
  readonly secrets: Pick<SecretBox, 'open'>
  readonly openVolume: OpenVolume
  /** Puts what is no row and no stored file in its place, once those are there. */
  readonly finish: () => Promise<void>
}

/** How a backup is restored. */
interface RestoreOptions {
  /** Deletes what is in the database. */
  readonly force: boolean
  readonly progress: Progress
}

/**
 * Restores a backup, whole or not at all: nothing is written before every piece was read to its end, files come before the rows that
 * name them, and the database changes in one transaction.
 */
export async function restoreBackup(
  target: BackupTarget,
  manifest: BackupManifest,
  place: RestorePlace,
  { force, progress }: RestoreOptions,
): Promise<void> {
  await checkPieces(target, manifest, progress)
  await using session = await openSession(await place.openDatabase(), 'stoa-restore')
  requireSchema(session, manifest)
  await requireNoHost(session)
  const { client } = session
  await client.query('begin')
  await clearSchema(session, force)
  const schema = decodeSchema(await target.getPart(manifest.schema))
  await loadDatabase(session, { target, manifest, schema, progress })
  await endOwnRun(session, manifest)
  const volumes = new Volumes(place.openVolume, place.secrets, manifest.volumes)
  await placeFiles(manifest, { target, volumes, progress })
  await place.finish()
  // PostgreSQL answers the COMMIT of a transaction that failed with ROLLBACK.
  const { command } = await client.query('commit')
  if (command !== 'COMMIT') throw new BackupError('The database did not commit: nothing of it was restored')
  await client.query('analyze')
}

/** The rows are of a moment in which the host was making this very backup: here it is made. */
async function endOwnRun({ client }: Session, { id, tables }: BackupManifest): Promise<void> {
  if (!tables.some(({ name }) => name === 'backup_runs')) return
  await client.query(
    `update backup_runs set state = 'succeeded', backup = $1, finished_at = now() where state = 'running'`,
    [id],
  )
}

/** Throws a BackupError where the statements of the backup would make other tables than the platform looks for. */
export function requireSchema({ schema }: Session, { database }: BackupManifest): void {
  if (schema === database.schema) return
  throw new BackupError(`The backup is of the schema ${database.schema}, and here the platform would use ${schema}`)
}
