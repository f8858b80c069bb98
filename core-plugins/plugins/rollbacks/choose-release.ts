import type { Principal } from '#kernel'
import type { Knex } from 'knex'
import semver from 'semver'
import { BackupRow } from '../backups/models.ts'
import { BackupNotFoundError } from '../backups/errors.ts'
import { ReleaseRow, type PluginRow } from '../models.ts'
import type { Operation } from '../operations/operation.ts'
import type { Parts } from '../parts.ts'
import { requirePermission } from '../reading/require-permission.ts'
import { getRelease } from '../releases/release-archive.ts'
import { NoPreviousReleaseError, ReleaseActiveError, ReleaseNewerError } from './errors.ts'
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
  /** The upgrade that it undoes, for as long as its release is the one in use. */
  readonly undoes?: { readonly operation: string; readonly release: number } | undefined
}

/** The release a rollback leads to, and the backup that was named; throws when there is none, and 400/4009 for one revoked meanwhile. */
export async function chooseRelease(
  parts: Parts,
  operation: Operation,
  plugin: PluginRow,
  request: RollbackRequest,
  actor: Principal | null,
): Promise<{ readonly to: ReleaseRow; readonly backup: BackupRow | undefined }> {
  const { db } = parts
  const backup = request.backup === undefined ? undefined : await getBackup(db, plugin.name, request.backup)
  const version = request.to ?? backup?.version
  const found = await findRelease(db, plugin, version, backup)
  if (!backup) await requireOlder(db, plugin, found?.version ?? version ?? '', { ...request, found })
  if (!found && actor) requirePermission(actor, 'marketplace:download')
  const to = found ?? (await fetchRelease(parts, operation, plugin, version ?? ''))
  if (to.id === plugin.activeRelease && request.data !== 'restore')
    throw new ReleaseActiveError({ version: to.version })
  // What runs already is the revocation watch's matter.
  if (to.id !== plugin.activeRelease) await parts.admission.requireNotRevoked(to)
  return { to, backup }
}

/** The way up has checks of its own, and a watch: only what was in use here, as a backup or the place before tells, is gone back to there. */
async function requireOlder(
  db: Knex,
  { activeRelease, previousRelease }: PluginRow,
  version: string,
  { found, data }: Pick<RollbackRequest, 'data'> & { readonly found: ReleaseRow | undefined },
): Promise<void> {
  if (found && (found.id === previousRelease || data === 'restore')) return
  const active = await getRelease(db, activeRelease)
  if (semver.valid(version) !== null && semver.gt(version, active.version))
    throw new ReleaseNewerError({ version, active: active.version })
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

/** A backup that is complete; throws 404/4040 with its name when there is none. */
export async function getBackup(db: Knex, plugin: string, name: string): Promise<BackupRow> {
  const backup = await BackupRow.with(db).whereNotNull('completed_at').findOne({ plugin, name })
  if (!backup) throw new BackupNotFoundError({ backup: name })
  return backup
}
