import { PlatformModel, type Said } from '#kernel'

/** A backup that a host made, makes, or failed to make. */
export class BackupRun extends PlatformModel {
  static override tableName = 'backup_runs'
  static override jsonAttributes = ['errorSaid']
  declare id: number
  /** The time of the schedule; null for one that somebody asked for. */
  declare slot: Date | null
  declare state: 'running' | 'succeeded' | 'failed'
  declare startedBy: number | null
  declare target: string
  declare startedAt: Date
  /** Its job of the queue, a bigint; null for one of before there was a queue. */
  declare job: string | null
  declare finishedAt: Date | null
  /** What it is called at its target. */
  declare backup: string | null
  /** Bigints, which PostgreSQL hands over as text. */
  declare rows: string | null
  declare files: string | null
  declare bytes: string | null
  declare sentFiles: string | null
  declare error: string | null
  /** What the error is told from; null where it stays as it was written. */
  declare errorSaid: Said | null
}
