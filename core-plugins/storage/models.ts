import { PlatformModel, TenantModel } from '#kernel'

/** What is known of a stored object and where its bytes lie. */
export class StorageObject extends TenantModel {
  static override tableName = 'storage_objects'
  declare id: string
  declare namespace: string
  declare key: string
  /** A bigint, which PostgreSQL hands over as text. */
  declare size: string
  declare sha256: string
  declare contentType: string
  declare driver: string
  declare storageRef: string
  declare location: string
  declare createdAt: Date
  declare expiresAt: Date | null
}

/** An object as a snapshot of its namespace remembers it. */
export class SnapshotRow extends TenantModel {
  static override tableName = 'storage_snapshots'
  static override idColumn = ['snapshot', 'tenant_id', 'key']
  declare snapshot: string
  declare key: string
  /** A bigint, which PostgreSQL hands over as text. */
  declare size: string
  declare sha256: string
  declare contentType: string
  declare driver: string
  declare storageRef: string
  declare location: string
  declare createdAt: Date
  declare expiresAt: Date | null
}

/** A place where bytes lie; a tenant's own, or with tenant 0 the platform's. */
export class StorageVolumeRow extends TenantModel {
  static override tableName = 'storage_volumes'
  declare id: string
  declare driver: string
  declare place: string
  /** Sealed JSON. */
  declare config: string
  declare baseUrl: string
  declare createdAt: Date
  declare updatedAt: Date
}

/** Somebody who wants no bytes to be deleted until then. */
export class Hold extends PlatformModel {
  static override tableName = 'storage_holds'
  declare id: string
  declare until: Date
}
