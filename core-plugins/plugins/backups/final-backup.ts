import { allowTime } from '#kernel'
import type { Knex } from 'knex'
import type { CleanupTarget } from '../shared/cleanup-target.ts'
import type { Operation } from '../operations/operation.ts'
import type { BackupSources, StoredFiles } from './needs.ts'
import { getRelease } from '../releases/release-archive.ts'
import { PluginRow } from '../shared/models.ts'
import { dropBackups, snapshotOf } from './drop-backups.ts'
import { BackupRow } from './models.ts'
import { backupNameOf, completeBackup, insertDraft, writeChoices, type BackupSource } from './write-backup.ts'

const keepMilliseconds = 30 * 24 * 60 * 60 * 1000

/** Whether something is kept of a plugin that goes. */
export function isBackedUp({ purge, id, manifest }: CleanupTarget): boolean {
  return !purge && id !== null && manifest !== undefined
}

/**
 * Begins the final backup with what tenants and users chose, in the transaction that deletes the first of it; a step that comes
 * later finds it written. One for each installation, whichever operations remove it.
 */
export async function saveChoices(
  parts: BackupSources,
  trx: Knex.Transaction,
  operation: Operation,
  target: CleanupTarget,
): Promise<void> {
  if (await isBegun(trx, target)) return
  const source = await sourceOf(trx, target)
  const name = backupNameOf(operation, 'uninstall')
  const draft = await insertDraft(trx, { ...source, kind: 'uninstall', name })
  const files = await writeChoices(parts, trx, draft)
  await BackupRow.with(trx).findById(draft.id).patch({ files })
}

/** Completes the backup of what an uninstall is about to delete; kept for 30 days. */
export async function writeFinalBackup(parts: StoredFiles, target: CleanupTarget): Promise<object> {
  const { db, storage } = parts
  const draft = await findDraft(db, target)
  // It is there in one piece or not at all.
  if (!draft) return { repeated: true }
  const objects = await storage.snapshots.take(`plugins/${target.name}`, snapshotOf(draft))
  const written = await db.transaction(
    async (trx) => {
      await allowTime(trx)
      const source = await sourceOf(trx, target)
      const expiresAt = new Date(Date.now() + keepMilliseconds)
      return completeBackup(trx, draft, { source, files: await storedFiles(trx, draft), objects, expiresAt })
    },
    { isolationLevel: 'repeatable read' },
  )
  return { backup: written.name, rows: Number(written.rows), objects: written.objects }
}

/**
 * Removes the backups that upgrades and rollbacks kept of a plugin that goes, and gives those that administrators made as long as the
 * final one; with `purge` all of them go. Answers how many went.
 */
export async function dropOtherBackups(parts: StoredFiles, { name, purge }: CleanupTarget): Promise<number> {
  const all = BackupRow.with(parts.db).where({ plugin: name })
  const going = await (purge ? all : all.whereIn('kind', ['upgrade', 'rollback']))
  await dropBackups(parts, going)
  await BackupRow.with(parts.db)
    .where({ plugin: name, kind: 'manual', expires_at: null })
    .patch({ expiresAt: new Date(Date.now() + keepMilliseconds) })
  return going.length
}

/** Whether any removal of this installation began its backup, or completed it. */
async function isBegun(db: Knex, { name, id }: CleanupTarget): Promise<boolean> {
  if (id === null) return false
  const row = await BackupRow.with(db).findOne({ plugin: name, plugin_id: id, kind: 'uninstall' }).select('id')
  return row !== undefined
}

async function findDraft(db: Knex, { name, id }: CleanupTarget): Promise<BackupRow | undefined> {
  if (id === null) return undefined
  return BackupRow.with(db).findOne({ plugin: name, plugin_id: id, kind: 'uninstall', completed_at: null })
}

async function sourceOf(db: Knex, { name }: CleanupTarget): Promise<BackupSource> {
  const plugin = await PluginRow.with(db).findOne({ name }).throwIfNotFound()
  return { plugin, release: await getRelease(db, plugin.activeRelease) }
}

/** The files that an earlier step wrote, with the bytes that each takes. */
async function storedFiles(trx: Knex.Transaction, { id, files }: BackupRow) {
  const rows = await trx('plugin_backup_chunks')
    .where({ backup_id: id })
    .groupBy('file')
    .select<{ file: string; stored: string }[]>('file', trx.raw('sum(length(bytes)) as stored'))
  const stored = new Map(rows.map((row) => [row.file, Number(row.stored)]))
  return Object.fromEntries(
    Object.entries(files).map(([path, file]) => [path, { ...file, stored: stored.get(path) ?? 0 }]),
  )
}
