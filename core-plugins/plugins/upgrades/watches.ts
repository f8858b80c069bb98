import { PlatformModel } from '#kernel'
import type { Knex } from 'knex'
import { PluginRow, type ReleaseRow } from '../models.ts'
import type { Operation } from '../operations/operation.ts'

/** A new release is watched for so long. */
export const WATCH_SECONDS = 60

/** How a new release is doing, on all hosts together. */
export class WatchRow extends PlatformModel {
  static override tableName = 'plugin_watches'
  static override idColumn = 'plugin_id'
  declare pluginId: number
  declare operationId: string
  declare fromRelease: number
  declare toRelease: number
  declare until: Date
  declare calls: number
  declare errors: number
  declare kills: number
  declare reason: string | null
  declare createdAt: Date
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
  const until = new Date(Date.now() + WATCH_SECONDS * 1_000)
  const row = { operationId: operation.id, fromRelease: from.id, toRelease: to.id, until, reason: null }
  await WatchRow.with(trx)
    .insert({ pluginId: plugin.id, ...row, calls: 0, errors: 0, kills: 0 })
    .onConflict('plugin_id')
    .merge()
  await PluginRow.with(trx).findById(plugin.id).patch({ watchedUntil: until })
}

/** Gives a release up: whoever looks next takes it back. */
export async function doom(db: Knex, operationId: string, reason: string): Promise<void> {
  await WatchRow.with(db).where({ operation_id: operationId }).patch({ reason })
}

/** The watch is over. */
export async function endWatch(db: Knex, { pluginId, operationId }: WatchRow): Promise<void> {
  const ended = await WatchRow.with(db).where({ plugin_id: pluginId, operation_id: operationId }).delete()
  if (ended > 0) await PluginRow.with(db).findById(pluginId).patch({ watchedUntil: null })
}
