import { SnapshotRow, StorageObject, StorageVolumeRow } from './models.ts'
import { dropAllBytes, type StorageParts } from './objects/storage-parts.ts'

const batch = 500

/** Deletes everything of a tenant that is no more: its objects, those of snapshots included, with their bytes, and what is known of its own places. */
export async function eraseTenant(parts: StorageParts, tenantId: number): Promise<void> {
  for (;;) {
    const next = StorageObject.of(tenantId, parts.db).select('id').limit(batch)
    const rows = await StorageObject.of(tenantId, parts.db).delete().whereIn('id', next).returning('*')
    await dropAllBytes(parts, rows)
    if (rows.length === 0) break
  }
  const remembered = await SnapshotRow.of(tenantId, parts.db).delete().returning('*')
  await dropAllBytes(parts, remembered)
  await StorageVolumeRow.of(tenantId, parts.db).delete()
}
