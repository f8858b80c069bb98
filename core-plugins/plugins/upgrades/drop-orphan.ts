import { ReleaseRow } from '../models.ts'
import type { Parts } from '../parts.ts'
import type { UpgradeTarget } from './upgrade-target.ts'

/** Deletes the files of a release that came in and was not taken; one that is kept stays. */
export async function dropOrphan(
  { db, store }: Pick<Parts, 'db' | 'store'>,
  { manifest: { name, version }, treeHash }: UpgradeTarget,
): Promise<void> {
  const kept = await ReleaseRow.with(db).findOne({ name, version, tree_hash: treeHash })
  if (!kept) await store.removeRelease({ name, version, treeHash })
}
