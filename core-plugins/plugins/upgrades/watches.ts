import type { Said } from '#kernel'
import type { Knex } from 'knex'
import { PluginRow, WatchRow, type ReleaseRow } from '../shared/models.ts'
import type { Operation } from '../operations/operation.ts'
import { wantPlugin } from '../running/desired-state.ts'

/** A new release is watched for so long. */
const watchSeconds = 60

/** A watch with what is in use by now: read apart, an upgrade between the two would look like a release that is gone. */
export interface Watched extends WatchRow {
  readonly name: string
  readonly activeRelease: number
  readonly removing: boolean
  /** Of the release that is watched. */
  readonly treeHash: string
}

/** All watches. */
export async function listWatches(db: Knex): Promise<readonly Watched[]> {
  const rows = await WatchRow.with(db)
    .join('plugins', 'plugins.id', 'plugin_watches.plugin_id')
    .join('plugin_releases', 'plugin_releases.id', 'plugin_watches.to_release')
    .select('plugin_watches.*', 'plugins.name', 'plugins.active_release', 'plugins.removing')
    .select('plugin_releases.tree_hash')
  return rows as unknown as readonly Watched[]
}

/** Watches a release from the moment on in which it becomes active. */
export async function beginWatch(
  trx: Knex.Transaction,
  {
    plugin,
    operation,
    from,
    to,
  }: {
    readonly plugin: Pick<PluginRow, 'id'>
    readonly operation: Pick<Operation, 'id'>
    readonly from: Pick<ReleaseRow, 'id'>
    readonly to: Pick<ReleaseRow, 'id'>
  },
): Promise<void> {
  const watch = { pluginId: plugin.id, operationId: operation.id, fromRelease: from.id, toRelease: to.id }
  await replaceWatch(trx, watch, null)
}

/** Gives up the release that an upgrade led to, whether it is watched yet, still or no more: whoever looks next takes it back. */
export async function doom(
  trx: Knex.Transaction,
  { id: operationId, plugin: name }: Pick<Operation, 'id' | 'plugin'>,
  reason: Said,
): Promise<void> {
  const plugin = await PluginRow.with(trx).findOne({ name })
  if (!plugin || plugin.previousRelease === null) return
  const { id: pluginId, previousRelease: fromRelease, activeRelease: toRelease } = plugin
  await replaceWatch(trx, { pluginId, operationId, fromRelease, toRelease }, reason)
  // Whoever has nothing to watch looks again when something else is wanted.
  await wantPlugin(trx, pluginId, {})
}

/** The watch is over; one that gave its release up meanwhile is not, unless the release is not in use any more. */
export async function endWatch(
  db: Knex,
  { pluginId, operationId }: Pick<WatchRow, 'pluginId' | 'operationId'>,
  { evenDoomed = true }: { readonly evenDoomed?: boolean } = {},
): Promise<void> {
  const query = WatchRow.with(db).where({ plugin_id: pluginId, operation_id: operationId })
  if (!evenDoomed) query.whereNull('reason')
  const ended = await query.delete()
  if (ended > 0) await PluginRow.with(db).findById(pluginId).patch({ watchedUntil: null })
}

async function replaceWatch(
  trx: Knex.Transaction,
  watch: Pick<WatchRow, 'pluginId' | 'operationId' | 'fromRelease' | 'toRelease'>,
  said: Said | null,
): Promise<void> {
  const until = new Date(Date.now() + watchSeconds * 1_000)
  await WatchRow.with(trx)
    .insert({ ...watch, until, reason: said?.words ?? null, reasonSaid: said, calls: 0, errors: 0, kills: 0 })
    .onConflict('plugin_id')
    .merge()
  await PluginRow.with(trx).findById(watch.pluginId).patch({ watchedUntil: until })
}
