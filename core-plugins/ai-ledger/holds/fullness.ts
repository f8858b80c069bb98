import type { Knex } from 'knex'
import type { Quota } from '../quotas/quota.ts'
import { isRate } from '../windows/span.ts'
import { windowAt } from '../windows/window-at.ts'
import { everybody } from './everybody.ts'
import type { Rates } from './rates.ts'

/** Quotas and the share of their limit that is used and held of their fullest bucket, in the present window. */
export async function readFullness(
  db: Knex,
  rates: Pick<Rates, 'fullest'>,
  quotas: readonly Quota[],
): Promise<readonly { readonly quota: Quota; readonly ratio: number }[]> {
  const { rated = [], kept = [] } = Object.groupBy(quotas, ({ metric, span }) =>
    isRate(metric, span) ? 'rated' : 'kept',
  )
  const [most, mostRated] = await Promise.all([fullestBuckets(db, kept), rates.fullest(rated)])
  return quotas.map((quota) => {
    const used = most.get(quota.id) ?? mostRated.get(quota.id) ?? 0
    // Nothing fits where nothing is allowed.
    const ratio = quota.limit === 0n ? 1 : Math.round((used / Number(quota.limit)) * 10_000) / 10_000
    return { quota, ratio }
  })
}

async function fullestBuckets(db: Knex, quotas: readonly Quota[]): Promise<ReadonlyMap<string, number>> {
  if (quotas.length === 0) return new Map()
  const now = new Date()
  const { rows } = await db
    .raw<{ rows: { quota_id: string; most: string }[] }>(
      `select b.quota_id, max(b.used + b.held)::text as most
         from unnest(?::text[], ?::timestamptz[]) as present (id, start)
         join ai_quota_buckets b on b.quota_id = present.id collate "C" and b.window_start = present.start
        group by b.quota_id`,
      [quotas.map(({ id }) => id), quotas.map(({ span }) => windowAt(span, now).from)],
    )
    .queryContext(everybody)
  return new Map(rows.map((row) => [row.quota_id, Number(row.most)]))
}
