import type { Knex } from 'knex'
import type { LedgerState } from '../contract.ts'
import { everybody } from './everybody.ts'

/** How the ledger is, over all hosts. */
export async function readLedgerState(db: Knex): Promise<LedgerState> {
  const { rows } = await db
    .raw<{ rows: [Record<keyof LedgerState, string | number>] }>(
      `select (select count(*) from ai_holds)::int as "openHolds",
              coalesce((select extract(epoch from now() - min(at)) from ai_holds), 0)::float8 as "oldestHoldSeconds",
              (select count(*) from ai_usage
                where usage_source = 'recovered' and at > now() - interval '1 hour')::int as "recoveredLastHour",
              coalesce((select extract(epoch from now() - min(noted_at)) from ai_usage_new), 0)::float8
                as "rollupLagSeconds",
              coalesce(sum((ratio >= 0.9 and ratio < 1)::int), 0)::int as "nearLimit",
              coalesce(sum((ratio >= 1)::int), 0)::int as exhausted
         from (select max((b.used + b.held) / greatest(q.amount, 1)::float8) as ratio
                 from ai_quotas q join ai_quota_buckets b on b.quota_id = q.id
                where q.status = 'active'
                  and b.window_start = (select max(n.window_start) from ai_quota_buckets n
                                         where n.quota_id = b.quota_id and n.bucket = b.bucket)
                group by q.id) as quotas`,
    )
    .queryContext(everybody)
  const [state] = rows
  return {
    ...{ openHolds: Number(state.openHolds), oldestHoldSeconds: Math.max(0, Number(state.oldestHoldSeconds)) },
    ...{
      recoveredLastHour: Number(state.recoveredLastHour),
      rollupLagSeconds: Math.max(0, Number(state.rollupLagSeconds)),
    },
    ...{ nearLimit: Number(state.nearLimit), exhausted: Number(state.exhausted) },
  }
}
