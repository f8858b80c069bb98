import { TenantModel, type Said } from '#kernel'
import type { JobState } from './contract.ts'

/** A job; its payload is for whoever runs it alone. */
export class Job extends TenantModel {
  static override tableName = 'jobs'
  static override jsonAttributes = ['errorSaid']

  /** A bigint, which PostgreSQL hands over as text. */
  declare id: string
  declare kind: string
  declare payload: unknown
  declare state: JobState
  declare priority: number
  declare key: string | null
  declare runAt: Date
  declare scheduledAt: Date | null
  declare attempts: number
  declare host: string | null
  declare isCancelled: boolean
  declare percent: number | null
  declare progress: string | null
  declare error: string | null
  /** What the error is told from; null where it stays as it was written. */
  declare errorSaid: Said | null
  declare createdAt: Date
  declare startedAt: Date | null
  declare finishedAt: Date | null
}
