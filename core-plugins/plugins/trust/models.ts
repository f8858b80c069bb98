import { PlatformModel } from '#kernel'
import type { TrustedKey } from '#marketplace'

/** A publisher's key that this site trusts of its own accord. */
export class PublisherRow extends PlatformModel {
  static override tableName = 'plugin_publishers'
  declare id: number
  declare publisher: string
  declare kid: string
  /** Ed25519, base64url of 32 bytes. */
  declare publicKey: string
  declare level: Exclude<TrustedKey['level'], 'local'>
  declare addedBy: number | null
  declare createdAt: Date
}
