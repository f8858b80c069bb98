import { basename } from 'node:path'
import type { ReleaseStore } from '#marketplace'
import type { Knex } from 'knex'
import { ReleaseRow } from '../shared/models.ts'

/** The folders of releases on this host, and the rows that say which are kept. */
export interface FolderParts {
  readonly db: Knex
  readonly store: ReleaseStore
}

/** Folders of an installed plugin on this host that belong to no release that is kept. */
export async function listStrayFolders({ db, store }: FolderParts, plugin: string): Promise<readonly string[]> {
  // The folders first: a release that comes in meanwhile has its files before its row.
  const folders = await store.list()
  const releases = await ReleaseRow.with(db).where({ name: plugin })
  const kept = new Set(releases.map((release) => basename(store.directoryOf(release))))
  return folders.flatMap(({ name, folder }) => (name === plugin && !kept.has(folder) ? folder : []))
}

/** Deletes what the operation brought onto this host and nobody keeps. */
export async function dropStrayFolders({
  parts,
  operation: { plugin },
}: {
  readonly parts: FolderParts
  readonly operation: { readonly plugin: string }
}): Promise<void> {
  for (const folder of await listStrayFolders(parts, plugin)) await parts.store.removeFolder(plugin, folder)
}
