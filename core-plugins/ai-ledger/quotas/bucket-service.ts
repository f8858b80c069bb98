import { randomUUID } from 'node:crypto'
import type { Knex } from 'knex'
import type { Principal } from '#kernel'
import type { Audit, Writer } from '../../access/contract.ts'
import { faultOf, refuseFaults } from '../faults.ts'
import { isRate } from '../windows/span.ts'
import { windowAt } from '../windows/window-at.ts'
import { bucketOfKey, keyOfBucket, type BucketKey } from './bucket-name.ts'
import { quotaOf, type QuotaRow } from './quota-model.ts'
import { readRateBuckets, type BucketRow, type RateCounts } from './rate-usage.ts'
import { readLimit } from './read-quota.ts'
import type { QuotaService } from './service.ts'
import { showAmount } from './show-amount.ts'

interface AdjustmentRow {
  readonly id: string
  readonly bucket: string
  readonly before: string
  readonly after: string
  readonly reason: string
  readonly made_by: number | null
  readonly made_at: Date
}

/** Which buckets are wanted. */
interface UsageFilter {
  readonly bucket?: string
  readonly history?: number
  readonly cursor?: string
  readonly limit?: number
}

/** What the buckets stand on. */
interface BucketParts {
  readonly db: Knex
  readonly audit: Audit
  readonly quotas: Pick<QuotaService, 'find' | 'findForChange'>
  readonly rates: RateCounts
}

const everybody = { tenant: 'all' } as const
const adjustmentsShown = 20

/** How much of quotas is used. */
export class BucketService {
  readonly #parts: BucketParts

  constructor(parts: BucketParts) {
    this.#parts = parts
  }

  async usage(asker: Principal, id: string, { bucket, history = 0, cursor, limit = 50 }: UsageFilter) {
    const quota = await this.#parts.quotas.find(asker, id)
    const { from } = windowAt(quota.span, new Date())
    const rows = (): Knex.QueryBuilder => {
      const query = this.#parts.db('ai_quota_buckets').queryContext(everybody).where({ quota_id: id })
      return bucket === undefined ? query : query.where({ bucket })
    }
    const isOfRate = isRate(quota.metric, quota.span)
    const found = isOfRate
      ? await readRateBuckets(this.#parts.rates, quotaOf(quota), { bucket, cursor, limit })
      : await this.#sums(rows().where({ window_start: from }), cursor, limit)
    const shown = found.slice(0, limit)
    // A bucket of which nothing was used yet has no row.
    const isFresh = shown.length === 0 && cursor === undefined && (bucket !== undefined || quota.per.length === 0)
    const fresh = { bucket: bucket ?? '', window_start: from, used: '0', held: '0', denied: '0' }
    const past =
      history === 0 || isOfRate
        ? []
        : ((await rows()
            .where('window_start', '<', from)
            .orderBy('window_start', 'desc')
            .limit(history)) as readonly BucketRow[])
    return {
      ...{ quota_id: id, limit: showAmount(quota.metric, BigInt(quota.amount)), metric: quota.metric },
      buckets: (isFresh ? [fresh] : await this.#withLeases(id, from, shown)).map((row) => presentBucket(quota, row)),
      history: past.map((row) => presentPast(quota, row)),
      adjustments: await this.#adjustments(quota, bucket),
      next_cursor: found.length > limit ? (shown.at(-1)?.bucket ?? null) : null,
    }
  }

  /** Sets what is used in the present window; what is held stays held, so that calls under way are covered. */
  async reset(
    id: string,
    {
      bucket: key = {},
      to = '0',
      reason,
    }: { readonly bucket?: BucketKey; readonly to?: string; readonly reason: string },
    { principal, state }: Writer,
  ) {
    const { db, audit, quotas } = this.#parts
    return db.transaction(async (trx) => {
      const quota = await quotas.findForChange(principal, id, trx)
      const { metric, tenantId } = quota
      const amount = readLimit(metric, to, 'to')
      const bucket = bucketOfKey(quota.per, tenantId === 0, key)
      refuseFaults([
        ...(typeof amount === 'bigint' ? [] : [amount]),
        ...(bucket === undefined
          ? [faultOf('bucket', 'required', 'names one bucket of the quota', { per: quota.per })]
          : []),
      ])
      const after = amount as bigint
      const { from } = windowAt(quota.span, new Date())
      const where = { quota_id: id, bucket: bucket as string, window_start: from }
      const before = isRate(metric, quota.span)
        ? await this.#parts.rates.reset({ quota: quotaOf(quota), bucket: where.bucket }, after)
        : await resetSum(trx, tenantId, where, after)
      const adjustment = randomUUID()
      await trx('ai_quota_adjustments')
        .queryContext(everybody)
        .insert({
          ...{ id: adjustment, tenant_id: tenantId, ...where, before: String(before), after: String(after) },
          ...{ reason, made_by: principal.userId },
        })
      const facts = { bucket, reason, before: showAmount(metric, before), after: showAmount(metric, after) }
      const about = { tenantId: principal.tenantId, actor: principal, traceId: state.traceId, target: `ai_quota:${id}` }
      await audit.record({ ...about, action: 'ai_quota.reset', after: { ...facts, adjustment_id: adjustment } }, trx)
      return { before: facts.before, after: facts.after, adjustment_id: adjustment }
    })
  }

  async #sums(rows: Knex.QueryBuilder, cursor: string | undefined, limit: number): Promise<readonly BucketRow[]> {
    const present = rows.orderBy('bucket').limit(limit + 1)
    return (await (cursor === undefined ? present : present.where('bucket', '>', cursor))) as readonly BucketRow[]
  }

  /** What hosts used of their leases is not in the buckets yet. */
  async #withLeases(id: string, from: Date, rows: readonly BucketRow[]): Promise<readonly BucketRow[]> {
    const db = this.#parts.db
    const leases = await db('ai_quota_leases')
      .queryContext(everybody)
      .where({ quota_id: id, window_start: from })
      .groupBy('bucket')
      .select<readonly { bucket: string; used: string; spent: string }[]>(
        'bucket',
        db.raw('sum(used)::text as used'),
        db.raw('sum(spent)::text as spent'),
      )
    if (leases.length === 0) return rows
    const byBucket = new Map(leases.map((lease) => [lease.bucket, lease]))
    return rows.map((row) => {
      const { used = '0', spent = '0' } = byBucket.get(row.bucket) ?? {}
      return { ...row, used: String(BigInt(row.used) + BigInt(used)), held: String(BigInt(row.held) - BigInt(spent)) }
    })
  }

  async #adjustments({ id, metric }: QuotaRow, bucket: string | undefined) {
    const query = this.#parts.db('ai_quota_adjustments').queryContext(everybody).where({ quota_id: id })
    const rows = (await (bucket === undefined ? query : query.where({ bucket }))
      .orderBy('made_at', 'desc')
      .limit(adjustmentsShown)) as readonly AdjustmentRow[]
    return rows.map(({ id: adjustment, bucket: of, before, after, reason, made_by: by, made_at: at }) => ({
      ...{
        id: adjustment,
        bucket: of,
        before: showAmount(metric, BigInt(before)),
        after: showAmount(metric, BigInt(after)),
      },
      ...{ reason, by, at: at.toISOString() },
    }))
  }
}

/** Sets what is used of a bucket in the database; answers what was. */
async function resetSum(
  trx: Knex.Transaction,
  tenantId: number,
  where: { readonly quota_id: string; readonly bucket: string; readonly window_start: Date },
  after: bigint,
): Promise<bigint> {
  const table = (): Knex.QueryBuilder => trx('ai_quota_buckets').queryContext(everybody)
  // What hosts with leases used until now is in the figure that is replaced.
  await trx
    .raw(
      `select from ai_leases_close(array(
         select id from ai_quota_leases where quota_id = ? and bucket = ? and window_start = ?))`,
      [where.quota_id, where.bucket, where.window_start],
    )
    .queryContext(everybody)
  await table()
    .insert({ ...where, tenant_id: tenantId })
    .onConflict(['quota_id', 'bucket', 'window_start'])
    .ignore()
  const row = await table().where(where).forUpdate().first<{ readonly used: string }>('used')
  await table()
    .where(where)
    .update({ used: String(after), warned: 0 })
  return BigInt(row.used)
}

function presentBucket({ metric, span, amount }: QuotaRow, row: BucketRow) {
  const [used, held, limit] = [BigInt(row.used), BigInt(row.held), BigInt(amount)]
  const { from, to } = windowAt(span, row.window_start)
  const left = limit - used - held
  const show = (sum: bigint): string => showAmount(metric, sum)
  const ends = to?.toISOString() ?? null
  return {
    ...{ bucket: row.bucket, key: keyOfBucket(row.bucket), window: { from: from.toISOString(), to: ends } },
    ...{ used: show(used), held: show(held), remaining: show(left < 0n ? 0n : left) },
    ratio: limit === 0n ? 1 : Math.round((Number(used + held) / Number(limit)) * 1000) / 1000,
    ...{ resets_at: span.kind === 'sliding' ? null : ends, blocked: left <= 0n, denied_requests: Number(row.denied) },
  }
}

function presentPast({ metric, span }: QuotaRow, { bucket, window_start: start, used, denied }: BucketRow) {
  const { from, to } = windowAt(span, start)
  const window = { from: from.toISOString(), to: to?.toISOString() ?? null }
  return { bucket, ...window, used: showAmount(metric, BigInt(used)), denied_requests: Number(denied) }
}
