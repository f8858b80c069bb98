import { requirePermission, type Principal, type Said } from '#kernel'
import type { Knex } from 'knex'
import semver from 'semver'
import { BackupRow } from '../backups/models.ts'
import { BackupNotFoundError } from '../backups/errors.ts'
import { ReleaseRow, type PluginRow } from '../shared/models.ts'
import type { IncomingRelease, OfferedRelease } from '../contract-packages.ts'
import { factsOf } from '../releases/facts-of.ts'
import type { ReleaseChangeNeeds } from './needs.ts'
import { getRelease } from '../releases/release-archive.ts'
import { NoPreviousReleaseError, ReleaseActiveError, ReleaseNewerError, ReleaseNotKeptError } from './errors.ts'

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
  /** Nobody asked for it: the new release does badly, and why; administrators are told. */
  readonly because?: Said | undefined
  /** The upgrade that it undoes, for as long as its release is the one in use. */
  readonly undoes?: { readonly operation: string; readonly release: number } | undefined
}

/** The release a rollback leads to, kept here or fetched, and the backup that was named. */
export type Destination = { readonly backup: BackupRow | undefined } & (
  { readonly kept: ReleaseRow } | { readonly incoming: IncomingRelease }
)

/** A release that is not kept here, and how it comes; `incoming` is there once it has come. */
export interface Fetching {
  readonly offered: OfferedRelease
  /** It is kept all the same: a backup of the version names other files than those. */
  readonly isHere: boolean
  incoming?: IncomingRelease
}

type ChoiceNeeds = Pick<ReleaseChangeNeeds, 'db' | 'index'>

/**
 * Finds what has to be fetched, from the index source that the plugin belongs to; undefined where the release is kept here, or nobody can
 * tell. What was uploaded belongs to none. Throws 404/4040 for an upload, 404/4046 for what the source does not have.
 */
export async function findFetching(
  { db, index }: ChoiceNeeds,
  plugin: PluginRow,
  request: RollbackRequest,
  actor: Principal | null,
): Promise<Fetching | undefined> {
  const { version, found } = await findWanted(db, plugin, request)
  if (found || version === undefined) return undefined
  if (actor) requirePermission(actor, 'marketplace:download')
  const { name, source } = plugin
  if (source === null) throw new ReleaseNotKeptError({ name, version })
  const offered = await index.find({ name, version, source })
  return { offered, isHere: (await findSame(db, offered)) !== undefined }
}

/** Chooses where a rollback leads; throws when there is no such release, and 400/4009 for one revoked meanwhile. */
export async function chooseRelease(
  { db, index }: ChoiceNeeds,
  plugin: PluginRow,
  request: RollbackRequest,
  fetching: Fetching | undefined,
): Promise<Destination> {
  const { backup, version = '', found } = await findWanted(db, plugin, request)
  const kept = found ?? (fetching && (await findSame(db, fetching.offered)))
  if (kept?.id === plugin.activeRelease) {
    if (request.data !== 'restore') throw new ReleaseActiveError({ version: kept.version })
    // What runs already is the revocation watch's matter.
    return { kept, backup }
  }
  const incoming = fetching?.incoming
  // One that was kept a moment ago may be gone.
  if (!kept) {
    if (!incoming) throw new ReleaseNotKeptError({ name: plugin.name, version })
    await index.requireNotRevoked(factsOf(incoming))
    return { incoming, backup }
  }
  await index.requireNotRevoked(kept)
  return { kept, backup }
}

async function findWanted(db: Knex, plugin: PluginRow, request: RollbackRequest) {
  const backup = request.backup === undefined ? undefined : await getBackup(db, plugin.name, request.backup)
  const version = request.to ?? backup?.version
  const found = await findRelease(db, plugin, version, backup)
  if (!backup) await requireOlder(db, plugin, found?.version ?? version ?? '', { ...request, found })
  return { backup, version, found }
}

async function findSame(
  db: Knex,
  { name, version, treeHash }: Pick<OfferedRelease, 'name' | 'version' | 'treeHash'>,
): Promise<ReleaseRow | undefined> {
  return ReleaseRow.with(db).findOne({ name, version, tree_hash: treeHash })
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
