import type { StoredFiles } from './needs.ts'
import { readBackupFile } from './backup-files.ts'
import { snapshotOf } from './drop-backups.ts'
import type { BackupRow } from './models.ts'

/** Throws 500/5003 when a file of a backup is not what was written, or an object of it is gone. */
export async function verifyBackup({ db, storage }: StoredFiles, backup: BackupRow): Promise<void> {
  for (const file of Object.keys(backup.files)) {
    const content = readBackupFile(db, backup, file)
    while (!(await content.next()).done);
  }
  await storage.snapshots.verify(snapshotOf(backup))
}
