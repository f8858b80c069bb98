import { insertRelease } from '../lifecycle/install.ts'
import { ReleaseRow, type PluginRow } from '../models.ts'
import type { Operation } from '../operations/operation.ts'
import type { Parts } from '../parts.ts'
import { archiveRelease, getRelease } from '../releases/release-archive.ts'
import { ReleaseNotKeptError } from './errors.ts'

/**
 * Takes a version that is not kept here from the index source the plugin belongs to, and keeps it; what was uploaded belongs to none.
 * Throws 404/4040 for an upload, 404/4046 for what the source does not have.
 */
export async function fetchRelease(
  parts: Parts,
  operation: Operation,
  { name, source }: PluginRow,
  version: string,
): Promise<ReleaseRow> {
  if (source === null) throw new ReleaseNotKeptError({ name, version })
  await using incoming = await parts.fetchers.fetch({ name, version, source })
  const { opened, zip } = incoming
  // A backup of the version may name other files than those that are kept.
  const known = await ReleaseRow.with(parts.db).findOne({ name, version, tree_hash: opened.treeHash })
  if (known) return known
  let isKept = false
  try {
    await operation.step('store', async () => void (await parts.store.put(opened)))
    const kept = await operation.change('keep', async (trx) => {
      const release = await insertRelease(trx, incoming, parts.siteKey)
      await archiveRelease(trx, release.id, zip)
      return { id: release.id }
    })
    isKept = true
    return await getRelease(parts.db, kept.id)
  } finally {
    if (!isKept) await parts.store.removeRelease({ name, version, treeHash: opened.treeHash })
  }
}
