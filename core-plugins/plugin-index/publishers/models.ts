import { PlatformModel } from '#kernel'
import type { TrustedKey } from '#marketplace'

/** A publisher's key that this site knows: an administrator added it, or it was the first that was believed. */
export class PublisherRow extends PlatformModel {
  static override tableName = 'plugin_publishers'
  declare id: number
  declare publisher: string
  declare kid: string
  /** Ed25519, base64url of 32 bytes. */
  declare publicKey: string
  declare level: Exclude<TrustedKey['level'], 'local'>
  declare addedBy: number | null
  /** Whether it was taken from a source when a package of the publisher came in, and from which; null once that is gone. */
  declare believed: boolean
  declare source: string | null
  declare createdAt: Date
}
