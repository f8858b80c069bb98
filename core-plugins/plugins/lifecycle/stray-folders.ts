import { basename } from 'node:path'
import { ReleaseRow } from '../models.ts'
import type { Parts } from '../parts.ts'

/** Folders of an installed plugin on this host that belong to no release that is kept. */
export async function listStrayFolders(
  { db, store }: Pick<Parts, 'db' | 'store'>,
  plugin: string,
): Promise<readonly string[]> {
  // The folders first: a release that comes in meanwhile has its files before its row.
  const folders = await store.list()
  const releases = await ReleaseRow.with(db).where({ name: plugin })
  const kept = new Set(releases.map((release) => basename(store.directoryOf(release))))
  return folders.flatMap(({ name, folder }) => (name === plugin && !kept.has(folder) ? folder : []))
}
