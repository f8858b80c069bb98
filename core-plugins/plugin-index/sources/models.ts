import { PlatformModel } from '#kernel'
import type { SourceFailure, TrustLevel } from '#marketplace'

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
