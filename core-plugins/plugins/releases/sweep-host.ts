import { basename } from 'node:path'
import type { ReleaseStore } from '#marketplace'
import { OperationRow, PluginRow, ReleaseRow } from '../shared/models.ts'
import type { Staging } from './staging.ts'
import type { FolderParts } from './stray-folders.ts'

type Folder = Awaited<ReturnType<ReleaseStore['list']>>[number]

/** Removes what a killed process left on this host: half uploads, and files of plugins and releases that are not installed. */
export async function sweepHost(
  { db, staging, store }: FolderParts & { readonly staging: Pick<Staging, 'sweep'> },
  { isAlone }: { readonly isAlone: boolean },
): Promise<void> {
  await staging.sweep({ isAlone })
  const folders = await store.list()
  for (const stray of await listStray({ db, store }, folders)) {
    // Asked once more behind what is being put there: whoever installs it meanwhile has its operation before its files.
    const isStill = async () => (await listStray({ db, store }, [stray])).length > 0
    await store.removeFolder(stray.name, stray.folder, isStill)
  }
}

/** Those that belong to no release that is kept, and to nothing that is moving. */
async function listStray({ db, store }: FolderParts, folders: readonly Folder[]): Promise<readonly Folder[]> {
  if (folders.length === 0) return []
  const names = [...new Set(folders.map(({ name }) => name))]
  // In this order: a plugin that is being installed has its row before its operation ends.
  const moving = await OperationRow.with(db).where({ state: 'running' }).whereIn('plugin', names).select('plugin')
  const installed = await PluginRow.with(db).whereIn('name', names).select('name')
  const releases = await ReleaseRow.with(db).whereIn('name', names).select('name', 'version', 'tree_hash')
  const isMoving = new Set(moving.map(({ plugin }) => plugin))
  const isInstalled = new Set(installed.map(({ name }) => name))
  const kept = new Set(releases.map((release) => basename(store.directoryOf(release))))
  return folders.filter(({ name, folder }) => !isMoving.has(name) && !(isInstalled.has(name) && kept.has(folder)))
}
