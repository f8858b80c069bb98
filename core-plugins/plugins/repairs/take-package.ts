import { AppError } from '#kernel'
import type { Knex } from 'knex'
import { ReleaseRow, type PluginRow } from '../shared/models.ts'
import type { RepairNeeds } from './needs.ts'
import type { IncomingRelease } from '../contract-packages.ts'
import { archiveRelease } from '../releases/release-archive.ts'
import { dropArchives } from '../releases/shared-archives.ts'

type Taken = IncomingRelease & Partial<AsyncDisposable>

/** The package of a release from the index source it came from, or undefined where it cannot be had or is another one. */
export async function takePackage(
  { index, log }: Pick<RepairNeeds, 'index' | 'log'>,
  { name, source }: Pick<PluginRow, 'name' | 'source'>,
  { version, treeHash }: ReleaseRow,
): Promise<Taken | undefined> {
  if (source === null) return undefined
  try {
    const taken = await index.fetch({ name, version, source })
    if (taken.opened.treeHash === treeHash) return taken
    await taken[Symbol.asyncDispose]()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    log.warn({ err: error, plugin: name, version }, 'the package of a release could not be taken again')
  }
  return undefined
}

/** Puts a zip in the place of the one that was kept; the tree in it is the same, the bytes around that need not be. */
export async function replaceArchive(
  trx: Knex.Transaction,
  { storage }: Pick<RepairNeeds, 'storage'>,
  release: ReleaseRow,
  { opened, zip }: IncomingRelease,
): Promise<void> {
  await trx('plugin_release_chunks').where({ release_id: release.id }).delete()
  await ReleaseRow.with(trx).findById(release.id).patch({ sha256: opened.sha256, size: opened.size })
  await archiveRelease(trx, release.id, zip)
  // What is there under the old hash is damaged, or nothing at all.
  await dropArchives(storage, [release])
}
