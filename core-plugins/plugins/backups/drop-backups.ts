import type { StoredFiles } from './needs.ts'
import { BackupRow } from './models.ts'

/** Deletes backups with their files, and the bytes of objects that nothing else knows. */
export async function dropBackups(
  { db, storage }: StoredFiles,
  backups: readonly Pick<BackupRow, 'id' | 'plugin' | 'name'>[],
): Promise<void> {
  for (const backup of backups) {
    await db.transaction(async (trx) => {
      await storage.snapshots.drop(snapshotOf(backup), trx)
      await BackupRow.with(trx).deleteById(backup.id)
    })
  }
  if (backups.length > 0) await storage.snapshots.sweep()
}

/** The name of the snapshot that has a backup's objects. */
export function snapshotOf({ plugin, name }: Pick<BackupRow, 'plugin' | 'name'>): string {
  return `${plugin}/${name}`
}
