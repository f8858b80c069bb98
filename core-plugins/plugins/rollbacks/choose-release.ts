import type { Knex } from 'knex'
import { BackupRow } from '../backups/models.ts'
import { BackupNotFoundError } from '../backups/errors.ts'
import { ReleaseRow, type PluginRow } from '../models.ts'
import type { Operation } from '../operations/operation.ts'
import type { Parts } from '../parts.ts'
import { getRelease } from '../releases/release-archive.ts'
import { NoPreviousReleaseError, ReleaseActiveError } from './errors.ts'
import { fetchRelease } from './fetch-release.ts'

/** What an administrator says of a rollback, or the watch over a new release. */
export interface RollbackRequest {
  /** The version to go back to; that of the backup, or the previous one, unless said otherwise. */
  readonly to?: string | undefined
  /** What becomes of the rows; the first of these that is possible unless said otherwise, and never a restore that nobody asked for. */
  readonly data?: 'keep' | 'down' | 'restore' | undefined
  /** The backup to restore; the newest of that release unless said otherwise. */
  readonly backup?: string | undefined
  /** That rows may be lost by a restore. */
  readonly confirm?: boolean | undefined
  /** Nobody asked for it: the new release does badly. */
  readonly automatic?: boolean | undefined
  readonly reason?: string | undefined
}

/** The release a rollback leads to, and the backup that was named; throws when there is none. */
export async function chooseRelease(
  parts: Parts,
  operation: Operation,
  plugin: PluginRow,
  request: RollbackRequest,
): Promise<{ readonly to: ReleaseRow; readonly backup: BackupRow | undefined }> {
  const { db } = parts
  const backup = request.backup === undefined ? undefined : await getBackup(db, plugin.name, request.backup)
  const version = request.to ?? backup?.version
  const to =
    (await findRelease(db, plugin, version, backup)) ?? (await fetchRelease(parts, operation, plugin, version ?? ''))
  if (to.id === plugin.activeRelease && request.data !== 'restore')
    throw new ReleaseActiveError({ version: to.version })
  return { to, backup }
}

async function findRelease(
  db: Knex,
  { name, previousRelease }: PluginRow,
  version: string | undefined,
  backup: BackupRow | undefined,
): Promise<ReleaseRow | undefined> {
  if (version === undefined) {
    if (previousRelease === null) throw new NoPreviousReleaseError()
    return getRelease(db, previousRelease)
  }
  return ReleaseRow.with(db)
    .where({ name, version, ...(backup && { tree_hash: backup.releaseHash }) })
    .orderBy('id', 'desc')
    .first()
}

async function getBackup(db: Knex, plugin: string, name: string): Promise<BackupRow> {
  const backup = await BackupRow.with(db).whereNotNull('completed_at').findOne({ plugin, name })
  if (!backup) throw new BackupNotFoundError()
  return backup
}
