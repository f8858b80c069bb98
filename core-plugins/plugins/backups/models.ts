import { PlatformModel } from '#kernel'

/** What a backup was made for. */
export type BackupKind = 'upgrade' | 'rollback' | 'uninstall' | 'manual'

/** A file of a backup, as it is before it is compressed. */
export interface BackupFile {
  readonly sha256: string
  readonly size: number
  /** Of a table. */
  readonly rows?: number
  /** Of a table. */
  readonly columns?: readonly string[]
}

/** Where a counting column of a table was. */
export interface SequencePosition {
  readonly value: string
  readonly called: boolean
}

/** Everything a plugin had at one moment; its files lie in pieces beside it, and its objects in a snapshot of the storage. */
export class BackupRow extends PlatformModel {
  static override tableName = 'plugin_backups'
  static override jsonAttributes = ['migrations', 'files', 'sequences']
  declare id: number
  declare plugin: string
  declare pluginId: number
  declare name: string
  declare kind: BackupKind
  declare version: string
  declare releaseHash: string
  /** Those that were applied, in their order. */
  declare migrations: readonly string[]
  declare files: Readonly<Record<string, BackupFile>>
  /** By the short name of the table, and the column. */
  declare sequences: Readonly<Record<string, Readonly<Record<string, SequencePosition>>>>
  /** Compressed bytes; a bigint, which PostgreSQL hands over as text. */
  declare size: string
  declare rows: string
  declare objects: number
  declare objectBytes: string
  declare createdAt: Date
  /** Null while an uninstall is still writing it. */
  declare completedAt: Date | null
  declare expiresAt: Date | null
}
