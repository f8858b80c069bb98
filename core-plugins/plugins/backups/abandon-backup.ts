import type { Operation } from '../operations/operation.ts'
import type { StoredFiles } from './needs.ts'
import { dropBackups } from './drop-backups.ts'
import { BackupRow } from './models.ts'
import { backupNameOf } from './write-backup.ts'

/** Deletes the backup of an operation that came to nothing, and a snapshot that no backup was written for. */
export async function abandonBackup({
  parts,
  operation,
}: {
  readonly parts: StoredFiles
  readonly operation: Pick<Operation, 'plugin' | 'startedAt'>
}): Promise<void> {
  const { db, storage } = parts
  const { plugin } = operation
  const prefix = backupNameOf(operation, '')
  const written = await BackupRow.with(db).where({ plugin })
  await dropBackups(
    parts,
    written.filter(({ name, kind }) => kind !== 'uninstall' && name.startsWith(prefix)),
  )
  const strays = (await storage.snapshots.names()).filter((name) => name.startsWith(`${plugin}/${prefix}`))
  if (strays.length === 0) return
  await db.transaction(async (trx) => {
    for (const name of strays) await storage.snapshots.drop(name, trx)
  })
  await storage.snapshots.sweep()
}
