import type { Knex } from 'knex'
import type { EventRef, Logger } from '#kernel'
import type { aiQuotaWarned } from '../contract.ts'
import type { QuotaTable } from '../quotas/quota-table.ts'
import { everybody } from './everybody.ts'
import type { SettledBucket } from './hold-store.ts'

type Warned = typeof aiQuotaWarned extends EventRef<infer P> ? P : never

/** What warnings stand on. */
interface WarningParts {
  readonly db: Knex
  readonly log: Logger
  readonly quotas: Pick<QuotaTable, 'find'>
  readonly tell: (warned: Warned) => Promise<unknown>
}

/** Tells when a bucket passes a share of its limit, on one host and once in a window. */
export class Warnings {
  readonly #parts: WarningParts

  constructor(parts: WarningParts) {
    this.#parts = parts
  }

  /** Looks at buckets that changed. */
  hear(buckets: readonly SettledBucket[]): void {
    for (const bucket of buckets) {
      const quota = this.#parts.quotas.find(bucket.quota_id)
      if (!quota || quota.limit === 0n) continue
      const ratio = Number(bucket.used) / Number(quota.limit)
      const passed = quota.warnAt.findLast((share) => ratio >= share)
      if (passed !== undefined) void this.#warn(bucket, quota.tenantId, passed)
    }
  }

  async #warn(
    { quota_id: quotaId, bucket, window_start: start }: SettledBucket,
    tenantId: number,
    share: number,
  ): Promise<void> {
    const { db, log, tell } = this.#parts
    try {
      const changed = await db('ai_quota_buckets')
        .queryContext(everybody)
        .where({ quota_id: quotaId, bucket, window_start: start })
        .where('warned', '<', share)
        .update({ warned: share })
      if (changed > 0) await tell({ tenantId, quotaId, bucket, percent: Math.round(share * 100) })
    } catch (error) {
      log.warn({ err: error, quota_id: quotaId }, 'nobody is told that a quota is nearly used up')
    }
  }
}
