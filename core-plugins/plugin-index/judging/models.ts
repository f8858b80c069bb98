import { PlatformModel } from '#kernel'
import type { Revocation, RevocationAction, SourceFailure, TrustLevel } from '#marketplace'

/** An index source: where it is, how far it is believed, and how the last look at it went. */
export class SourceRow extends PlatformModel {
  static override tableName = 'plugin_sources'
  static override jsonAttributes = ['allow', 'deny', 'downloadHosts', 'judges', 'lastError']
  declare id: string
  declare name: string
  declare url: string
  /** The lowest comes first. */
  declare priority: number
  declare enabled: boolean
  /** Request headers by name, as JSON, sealed. */
  declare headers: string | null
  declare minTrust: TrustLevel
  declare maxTrust: Exclude<TrustLevel, 'local' | 'unsigned'>
  declare allow: readonly string[]
  declare deny: readonly string[]
  declare downloadHosts: readonly string[]
  /** Plugins about which an administrator lets it speak although nothing was taken from it. */
  declare judges: readonly string[]
  /** Whether an index without signatures is read. */
  declare unsigned: boolean
  declare rootFingerprint: string | null
  declare sequence: string | null
  /** When the snapshot that is kept was fetched. */
  declare snapshotAt: Date | null
  declare expires: Date | null
  declare lastError: SourceFailure | null
  declare checkedAt: Date | null
  declare refreshedAt: Date | null
  declare createdAt: Date
  declare updatedAt: Date
}

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
