import { TenantModel } from '#kernel'

/** Who may read an attachment beside its owner. */
export type Visibility = 'private' | 'tenant' | 'public'
/** What an attachment is for. */
export type Usage = 'general' | 'avatar' | 'chat' | 'config' | 'plugin'
/** How the bytes of an upload come. */
export type UploadMode = 'single' | 'chunk' | 'direct'

/** A file of somebody's; its bytes never change. */
export class Attachment extends TenantModel {
  static override tableName = 'attachments'
  declare id: string
  declare ownerId: number
  /** The organisation node of its owner when it came. */
  declare orgId: number | null
  declare blobId: string
  declare filename: string
  /** Small letters without the dot; empty without one. */
  declare extension: string
  declare mimeType: string
  /** A bigint, which PostgreSQL hands over as text. */
  declare size: string
  /** SHA-256, hexadecimal. */
  declare hash: string
  declare visibility: Visibility
  declare usage: Usage
  declare driver: string
  declare storageRef: string
  declare status: 'ready' | 'quarantined'
  /** Of images, in pixels as they are stored. */
  declare width: number | null
  declare height: number | null
  /** Seconds. */
  declare duration: number | null
  declare downloadCount: string
  declare createdAt: Date
  declare updatedAt: Date
}

/** Bytes that attachments of one tenant stand on; written down before the bytes come, so that none are forgotten. */
export class Blob extends TenantModel {
  static override tableName = 'attachment_blobs'
  declare id: string
  declare ownerId: number
  declare size: string
  declare hash: string | null
  declare driver: string | null
  declare storageRef: string | null
  declare state: 'uploading' | 'ready' | 'deleting'
  declare refcount: number
  declare createdAt: Date
}

/** An upload that was announced. */
export class Upload extends TenantModel {
  static override tableName = 'attachment_uploads'
  declare id: string
  declare ownerId: number
  declare filename: string
  declare size: string
  declare hash: string
  declare mimeType: string | null
  declare visibility: Visibility
  declare usage: Usage
  declare mode: UploadMode
  declare chunkSize: string
  declare chunkCount: number
  declare storageRef: string | null
  declare location: string | null
  declare linkExpiresAt: Date | null
  declare attachmentId: string | null
  declare createdAt: Date
  declare expiresAt: Date
}
