import { OperationRow } from '../shared/models.ts'
import type { StoredFiles } from './needs.ts'
import type { Knex } from 'knex'
import { dropBackups } from './drop-backups.ts'
import { BackupRow } from './models.ts'

/** Deletes backups whose time is over, and what a killed process left of one: a draft without its uninstall, a snapshot without a backup. */
export async function sweepBackups(parts: StoredFiles): Promise<void> {
  const { db, storage } = parts
  // In this order: what is being written is listed before, and its operation still runs after.
  const snapshots = await storage.snapshots.names()
  const ended = BackupRow.with(db).select('id', 'plugin', 'name', 'completed_at')
  const candidates = await ended.whereNull('completed_at').orWhere('expires_at', '<=', new Date())
  const known = new Set(await listNames(db, snapshots))
  const running = await OperationRow.with(db).where({ state: 'running' }).select('plugin')
  const moving = new Set(running.map(({ plugin }) => plugin))
  const over = candidates.filter(({ plugin, completedAt }) => completedAt !== null || !moving.has(plugin))
  await dropBackups(parts, over)
  const strays = snapshots.filter((name) => !known.has(name) && !moving.has(name.slice(0, name.lastIndexOf('/'))))
  await db.transaction(async (trx) => {
    for (const name of strays) await storage.snapshots.drop(name, trx)
  })
  if (strays.length > 0) await storage.snapshots.sweep()
}

/** The snapshots among these that belong to a backup. */
async function listNames(db: Knex, snapshots: readonly string[]): Promise<readonly string[]> {
  if (snapshots.length === 0) return []
  const { rows } = await db.raw<{ rows: { name: string }[] }>(
    `select snapshot as name from unnest(?::text[]) snapshot
      where exists (select 1 from plugin_backups where snapshot = plugin || '/' || name)`,
    [[...snapshots]],
  )
  return rows.map(({ name }) => name)
}
