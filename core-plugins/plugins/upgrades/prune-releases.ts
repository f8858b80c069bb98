import { GrantRow, ReleaseRow } from '../shared/models.ts'
import { getPlugin } from '../shared/find-plugin.ts'
import type { ReleaseStage } from '../rollbacks/needs.ts'
import { dropArchives } from '../releases/shared-archives.ts'
import { wantPlugin } from '../running/desired-state.ts'
import { settle } from '../running/settle.ts'

/** Releases that are kept of one plugin: the active one and the one before never go, nor what waits for a consent. */
const kept = 3

/** Deletes the oldest releases with their zips; every host deletes its files when it learns of it. */
export async function pruneReleases({
  parts,
  operation,
}: ReleaseStage): Promise<{ readonly pruned: readonly string[] }> {
  const plugin = await getPlugin(parts.db, operation.plugin)
  const releases = await ReleaseRow.with(parts.db).where({ name: plugin.name }).orderBy('id', 'desc')
  const { activeRelease, previousRelease, pendingRelease } = plugin
  const held = new Set([activeRelease, previousRelease, pendingRelease])
  const room = kept - releases.filter(({ id }) => held.has(id)).length
  const gone = releases.filter(({ id }) => !held.has(id)).slice(Math.max(room, 0))
  if (gone.length === 0) return { pruned: [] }
  // Before their rows, which tell a repetition of this step what there was.
  await dropArchives(parts.storage, gone)
  const generation = await operation.guarded(async (trx) => {
    await ReleaseRow.with(trx)
      .whereIn(
        'id',
        gone.map(({ id }) => id),
      )
      .delete()
    await GrantRow.with(trx)
      .where({ plugin_id: plugin.id })
      .whereIn(
        'release_hash',
        gone.map(({ treeHash }) => treeHash),
      )
      .delete()
    return wantPlugin(trx, plugin.id, {})
  })
  await settle(parts, generation, operation.signal)
  return { pruned: gone.map(({ version }) => version) }
}
