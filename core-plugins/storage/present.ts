import type { StoredObject } from './contract.ts'
import type { SnapshotRow, StorageObject } from './models.ts'

/** Row → what a store's user sees of it. */
export function presentObject(row: StorageObject | SnapshotRow): StoredObject {
  const { key, size, contentType, sha256, createdAt, expiresAt, driver, storageRef } = row
  return { key, size: Number(size), contentType, sha256, createdAt, expiresAt, driver, storageRef }
}
