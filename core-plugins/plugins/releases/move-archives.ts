import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Locks, Logger } from '#kernel'
import type { StorageVolumes } from '../../storage/contract.ts'
import { ReleaseRow } from '../shared/models.ts'
import { chunksOf, type ArchivedRelease, type ArchiveParts } from './release-archive.ts'
import { archiveKeyOf, hasSharedStorage, isShared, openArchives } from './shared-archives.ts'

/** What moving stands on. */
export interface MoveParts extends ArchiveParts {
  readonly volumes: StorageVolumes
  readonly locks: Locks
  readonly log: Logger
}

const lock = 'plugins.release_archives'
const pageSize = 500

/**
 * Moves the zips of releases from the database to the platform's storage where that is shared, and deletes there what belongs to no
 * release. One host at a time; throws what the storage throws while it is away, and leaves those that did not move where they are.
 */
export async function moveArchives(parts: MoveParts, stop: AbortSignal): Promise<void> {
  if (!(await hasWork(parts))) return
  await parts.locks.withLock(lock, async (lost) => {
    const signal = AbortSignal.any([stop, lost])
    await dropStrays(parts)
    if (!(await hasSharedStorage(parts.volumes))) return
    for (const release of await listStored(parts)) {
      signal.throwIfAborted()
      await moveArchive(parts, release)
    }
  })
}

/** Most of the time there is none, and no host needs the lock. */
async function hasWork(parts: MoveParts): Promise<boolean> {
  if ((await openArchives(parts.storage).usage()).objects > 0) return true
  return (await listStored(parts)).length > 0 && (await hasSharedStorage(parts.volumes))
}

/** Releases whose zips lie in the database. */
async function listStored({ db }: MoveParts): Promise<readonly ReleaseRow[]> {
  return ReleaseRow.with(db).whereIn('id', db('plugin_release_chunks').distinct('release_id')).orderBy('id')
}

async function moveArchive(parts: MoveParts, release: ReleaseRow): Promise<void> {
  const { db, log, storage } = parts
  const archives = openArchives(storage)
  const key = archiveKeyOf(release)
  const about = { plugin: release.name, version: release.version }
  if ((await hashOf(chunksOf(db, release))) !== release.sha256) {
    return log.warn(about, 'the package of a release is damaged and stays in the database')
  }
  const { driver } = await archives.put(key, Readable.from(chunksOf(db, release)), { contentType: 'application/zip' })
  // The settings may have changed meanwhile, and the database's copy goes only when the other one is known to be good.
  if (!isShared(driver) || !(await isWhole(parts, release))) {
    await archives.delete(key)
    return log.warn(about, 'the storage did not keep the package of a release, which stays in the database')
  }
  await db.transaction(async (trx) => {
    await ReleaseRow.with(trx).findById(release.id).forUpdate()
    await trx('plugin_release_chunks').where({ release_id: release.id }).delete()
  })
  // Uninstalled meanwhile.
  if (!(await ReleaseRow.with(db).findOne({ sha256: release.sha256 }))) return void (await archives.delete(key))
  log.info(about, 'the package of a release moved to the storage')
}

async function isWhole({ storage }: MoveParts, release: ArchivedRelease): Promise<boolean> {
  const found = await openArchives(storage).get(archiveKeyOf(release))
  return found !== undefined && (await hashOf(found.content)) === release.sha256
}

/** What a crash in the middle of an uninstall left. */
async function dropStrays({ db, storage }: MoveParts): Promise<void> {
  const archives = openArchives(storage)
  for (let cursor: string | undefined, isLast = false; !isLast;) {
    const page = await archives.list({ cursor, limit: pageSize })
    const rows = await ReleaseRow.with(db).whereIn(
      'sha256',
      page.items.map(({ sha256 }) => sha256),
    )
    const known = new Set(rows.map(archiveKeyOf))
    for (const { key } of page.items) if (!known.has(key)) await archives.delete(key)
    cursor = page.nextCursor
    isLast = cursor === undefined
  }
}

async function hashOf(content: AsyncIterable<unknown>): Promise<string> {
  const hash = createHash('sha256')
  for await (const bytes of content) hash.update(bytes as Buffer)
  return hash.digest('hex')
}
