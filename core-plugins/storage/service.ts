import type { ObjectStorage, StorageUsage } from './contract.ts'
import { ObjectKeyInvalidError } from './errors.ts'
import { StorageObject } from './models.ts'
import { openStore } from './objects/object-store.ts'
import { deleteWithBytes, type StorageParts } from './objects/storage-parts.ts'
import { readUsage } from './objects/stored-rows.ts'
import { createSnapshots } from './snapshots/snapshots.ts'

const batch = 500
const namespacePattern = /^[a-z0-9][a-z0-9._-]*(\/[a-z0-9][a-z0-9._-]*)*$/

/** Makes the service that opens and clears stores. */
export function createObjectStorage(parts: StorageParts): ObjectStorage {
  return {
    open(namespace, tenantId) {
      if (!namespacePattern.test(namespace)) throw new ObjectKeyInvalidError({ fault: 'has no valid namespace' })
      return openStore(parts, namespace, tenantId)
    },
    snapshots: createSnapshots(parts),
    hold: () => parts.holds.take(),
    clear: (namespace) => clear(parts, namespace),
    usage: (namespace) => readUsage(StorageObject.acrossTenants(parts.db).where({ namespace })),
  }
}

/** Rows go first, so that nothing leads to bytes that may be gone. */
async function clear(parts: StorageParts, namespace: string): Promise<StorageUsage> {
  const cleared = { bytes: 0, objects: 0 }
  for (;;) {
    const rows = await deleteWithBytes(parts, async (trx) => {
      const next = StorageObject.acrossTenants(trx).select('id').where({ namespace }).limit(batch)
      return await StorageObject.acrossTenants(trx).delete().whereIn('id', next).returning('*')
    })
    if (rows.length === 0) return cleared
    cleared.objects += rows.length
    cleared.bytes += rows.reduce((sum, { size }) => sum + Number(size), 0)
  }
}
