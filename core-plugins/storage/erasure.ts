import { SnapshotRow, StorageObject, StorageVolumeRow } from './models.ts'
import { deleteWithBytes, type StorageParts } from './objects/storage-parts.ts'

const batch = 500

/** Deletes everything of a tenant that is no more: its objects, those of snapshots included, with their bytes, and what is known of its own places. */
export async function eraseTenant(parts: StorageParts, tenantId: number): Promise<void> {
  for (;;) {
    const rows = await deleteWithBytes(parts, async (trx) => {
      const next = StorageObject.of(tenantId, trx).select('id').limit(batch)
      return await StorageObject.of(tenantId, trx).delete().whereIn('id', next).returning('*')
    })
    if (rows.length === 0) break
  }
  await deleteWithBytes(parts, async (trx) => await SnapshotRow.of(tenantId, trx).delete().returning('*'))
  await StorageVolumeRow.of(tenantId, parts.db).delete()
}
