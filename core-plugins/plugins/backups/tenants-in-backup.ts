import type { StoredFiles } from './needs.ts'
import { readBackupJson, readBackupRows } from './backup-files.ts'
import { snapshotOf } from './drop-backups.ts'
import type { BackupRow } from './models.ts'

/** What is kept of tenants beside rows and objects. */
const choiceFiles = ['settings.json', 'preferences.json', 'assignments.json']

/** The tenants something of whom is in a backup; 0, the platform, is none. Throws 500/5003 for one that is damaged. */
export async function tenantsInBackup({ db, storage }: StoredFiles, backup: BackupRow): Promise<readonly number[]> {
  const found = new Set<unknown>()
  for (const file of Object.keys(backup.files).filter((name) => name.startsWith('tables/'))) {
    for await (const rows of readBackupRows(db, backup, file)) {
      for (const { tenant_id: id } of JSON.parse(rows) as readonly { tenant_id?: unknown }[]) found.add(id)
    }
  }
  for (const file of choiceFiles.filter((name) => Object.hasOwn(backup.files, name))) {
    const choices = (await readBackupJson(db, backup, file)) as readonly { tenantId?: unknown }[]
    for (const { tenantId } of choices) found.add(tenantId)
  }
  for await (const { tenantId } of storage.snapshots.list(snapshotOf(backup))) found.add(tenantId)
  return [...found].filter((id): id is number => typeof id === 'number' && id !== 0).sort((one, other) => one - other)
}
