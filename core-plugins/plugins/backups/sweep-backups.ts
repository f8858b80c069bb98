import { OperationRow } from '../models.ts'
import type { Parts } from '../parts.ts'
import { dropBackups, snapshotOf } from './drop-backups.ts'
import { BackupRow } from './models.ts'

/** Deletes backups whose time is over, and what a killed process left of one: a draft without its uninstall, a snapshot without a backup. */
export async function sweepBackups(parts: Pick<Parts, 'db' | 'storage'>): Promise<void> {
  const { db, storage } = parts
  // In this order: what is being written is listed before, and its operation still runs after.
  const snapshots = await storage.snapshots.names()
  const backups = await BackupRow.with(db)
  const running = await OperationRow.with(db).where({ state: 'running' }).select('plugin')
  const moving = new Set(running.map(({ plugin }) => plugin))
  const now = new Date()
  const over = backups.filter(({ plugin, completedAt, expiresAt }) =>
    completedAt ? expiresAt !== null && expiresAt <= now : !moving.has(plugin),
  )
  await dropBackups(parts, over)
  const known = new Set(backups.map(snapshotOf))
  const strays = snapshots.filter((name) => !known.has(name) && !moving.has(name.slice(0, name.lastIndexOf('/'))))
  await db.transaction(async (trx) => {
    for (const name of strays) await storage.snapshots.drop(name, trx)
  })
  if (strays.length > 0) await storage.snapshots.sweep()
}
