import type { Knex } from 'knex'
import { isRate, secondsOf } from '../windows/span.ts'
import { QuotaRow } from './quota-model.ts'

const everybody = { tenant: 'all' } as const
/** Windows of a quota before the present one that its usage shows. */
const shown = 400
const atOnce = 5_000

/**
 * Deletes buckets of windows that are over and shown nowhere any more: all but the last 400 of a quota, and none older than the ledger. What is
 * held, also of such a window, stays. Answers how many went.
 */
export async function forgetWindows(db: Knex, ledgerBegins: Date, now = Date.now()): Promise<number> {
  const quotas = await QuotaRow.acrossTenants(db).select('id', 'metric', 'span')
  const ended = quotas
    .filter(({ metric, span }) => span.kind !== 'total' && !isRate(metric, span))
    .map(({ id, span }) => ({ id, before: Math.max(now - shown * secondsOf(span) * 1_000, ledgerBegins.getTime()) }))
  if (ended.length === 0) return 0
  const bindings = [ended.map(({ id }) => id), ended.map(({ before }) => new Date(before))]
  for (let gone = 0; ;) {
    const { rowCount } = await db
      .raw<{ rowCount: number }>(
        `delete from ai_quota_buckets where held = 0 and ctid = any (array(
           select b.ctid from unnest(?::text[], ?::timestamptz[]) as old (id, before)
             join ai_quota_buckets b on b.quota_id = old.id collate "C" and b.window_start < old.before
            where b.held = 0 limit ${String(atOnce)}))`,
        bindings,
      )
      .queryContext(everybody)
    gone += rowCount
    if (rowCount < atOnce) return gone
  }
}
