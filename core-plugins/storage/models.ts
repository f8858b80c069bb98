import { TenantModel } from '#kernel'

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
  declare location: string
  declare createdAt: Date
  declare expiresAt: Date | null
}
