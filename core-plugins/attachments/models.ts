import { PlatformModel, TenantModel } from '#kernel'

/** Who may read an attachment beside its owner. */
export type Visibility = 'private' | 'tenant' | 'public'
/** What an attachment is for. */
export type Usage = 'general' | 'avatar' | 'chat' | 'config' | 'plugin'
/** How the bytes of an upload come. */
export type UploadMode = 'single' | 'chunk' | 'direct' | 'tus'

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
  declare status: 'ready' | 'pending' | 'quarantined'
  /** Of images, in pixels as they are stored. */
  declare width: number | null
  declare height: number | null
  /** Of images that move; null where that is not known. */
  declare frames: number | null
  /** Seconds. */
  declare duration: number | null
  declare downloadCount: string
  /** The third-party plugin that made it. */
  declare plugin: string | null
  /** When it goes, unless somebody keeps it. */
  declare expiresAt: Date | null
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
  /** SHA-256 that was announced, hexadecimal; empty where none was. */
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
  /** Of tus: how many bytes have come, and the keys of the pieces that they lie in, one after the other. */
  declare received: string
  declare pieces: readonly string[]
  /** Of tus: the size is not known yet; until then it is what has come. */
  declare isDeferred: boolean
  /** Of tus: what the sender says of the file, as it said it. */
  declare metadata: string | null
  declare createdAt: Date
  declare expiresAt: Date
}

/** Somebody needs an attachment, which is kept for it. */
export class AttachmentReference extends TenantModel {
  static override tableName = 'attachment_references'
  static override idColumn = ['tenant_id', 'holder', 'attachment_id']
  declare attachmentId: string
  /** `<kind>:<which>`, such as `avatar:7`. */
  declare holder: string
}

/** Bytes that a virus scanner found infected. */
export class InfectedHash extends PlatformModel {
  static override tableName = 'attachment_infected_hashes'
  static override idColumn = 'hash'
  /** SHA-256, hexadecimal. */
  declare hash: string
  /** What the scanner calls it. */
  declare signature: string
  declare foundAt: Date
}
