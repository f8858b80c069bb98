import type { Knex } from 'knex'
import type { Claim } from './claims.ts'
import { everybody } from './everybody.ts'

/** Counts requests that quotas refused, and writes the counts now and then. */
export class DeniedCounts {
  readonly #db: Knex
  #counts = new Map<string, { readonly claim: Claim; count: number }>()

  constructor(db: Knex) {
    this.#db = db
  }

  add(claim: Claim): void {
    const key = `${claim.quota.id} ${claim.bucket} ${claim.windowStart.getTime()}`
    const known = this.#counts.get(key)
    if (known) known.count += 1
    else this.#counts.set(key, { claim, count: 1 })
  }

  /** Writes what was counted, in the order in which buckets are locked; what cannot be written is counted on. */
  async flush(): Promise<void> {
    const counted = this.#counts
    this.#counts = new Map()
    for (const [key, { claim, count }] of [...counted].sort(([one], [other]) => (one < other ? -1 : 1))) {
      const { quota, bucket, windowStart } = claim
      try {
        await this.#db
          .raw(
            `insert into ai_quota_buckets (tenant_id, quota_id, bucket, window_start, denied) values (?, ?, ?, ?, ?)
             on conflict (quota_id, bucket, window_start)
             do update set denied = ai_quota_buckets.denied + excluded.denied`,
            [quota.tenantId, quota.id, bucket, windowStart, count],
          )
          .queryContext(everybody)
        counted.delete(key)
      } catch (error) {
        for (const left of counted.values()) for (let n = 0; n < left.count; n++) this.add(left.claim)
        throw error
      }
    }
  }
}
