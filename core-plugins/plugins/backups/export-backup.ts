import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { SnapshotObject } from '../../storage/contract.ts'
import type { StoredFiles } from './needs.ts'
import { readBackupFile } from './backup-files.ts'
import { snapshotOf } from './drop-backups.ts'
import type { BackupRow } from './models.ts'
import { presentBackup } from './present.ts'
import { tar, type TarEntry } from './tar.ts'

/** A backup as one tar archive: what it is, its files, and the objects with a list of them. Breaks off where something is damaged. */
export function exportBackup(parts: StoredFiles, backup: BackupRow): Readable {
  return Readable.from(tar(entriesOf(parts, backup), backup.createdAt), { objectMode: false })
}

async function* entriesOf({ db, storage }: StoredFiles, backup: BackupRow): AsyncGenerator<TarEntry> {
  yield jsonEntry('backup.json', presentBackup(backup))
  for (const [name, { size }] of Object.entries(backup.files)) {
    yield { name, size, content: readBackupFile(db, backup, name) }
  }
  const snapshot = snapshotOf(backup)
  const listed: object[] = []
  for await (const object of storage.snapshots.list(snapshot)) {
    const name = `objects/${nameOf(object)}`
    const { tenantId, key, contentType, sha256, size } = object
    listed.push({ file: name, tenant_id: tenantId, key, content_type: contentType, sha256, size })
    yield { name, size, content: (await storage.snapshots.open(object, snapshot)) as AsyncIterable<Buffer> }
  }
  yield jsonEntry('objects.json', listed)
}

/** A key is no file name. */
function nameOf({ tenantId, key }: SnapshotObject): string {
  return createHash('sha256').update(`${tenantId}/${key}`).digest('hex')
}

function jsonEntry(name: string, value: unknown): TarEntry {
  const content = Buffer.from(JSON.stringify(value, null, 2))
  return { name, size: content.length, content: [content] }
}
