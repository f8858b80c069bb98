import { PlatformModel } from '#kernel'
import type { Revocation, RevocationAction } from '#marketplace'

/** What a source says against the release of a plugin that is installed. */
export class RevocationRow extends PlatformModel {
  static override tableName = 'plugin_revocations'
  static override idColumn = 'plugin_id'
  declare pluginId: number
  declare releaseHash: string
  declare version: string
  declare source: string
  /** What is done about it here. */
  declare action: RevocationAction
  /** What a source asked for that has no bond to the plugin, and so only warns; null where it is heard. */
  declare asked: RevocationAction | null
  declare severity: Revocation['severity']
  declare reason: string
  declare cve: string | null
  /** The publisher's key, where that was revoked and not the version. */
  declare kid: string | null
  declare foundAt: Date
  /** When what it asks for was done. */
  declare appliedAt: Date | null
  /** The administrator who runs it all the same, and since when. */
  declare overriddenBy: number | null
  declare overriddenAt: Date | null
}
