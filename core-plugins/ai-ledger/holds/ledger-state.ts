import type { Knex } from 'knex'
import type { LedgerState } from '../contract.ts'
import type { QuotaTable } from '../quotas/quota-table.ts'
import { everybody } from './everybody.ts'
import { readFullness } from './fullness.ts'
import type { Rates } from './rates.ts'

const near = 0.9

/** How the ledger is, over all hosts. */
export async function readLedgerState(
  db: Knex,
  quotas: Pick<QuotaTable, 'list'>,
  rates: Pick<Rates, 'fullest'>,
): Promise<LedgerState> {
  const { rows } = await db
    .raw<{ rows: [Record<keyof LedgerState, string | number>] }>(
      `select (select count(*) from ai_holds)::int as "openHolds",
              coalesce((select extract(epoch from now() - min(at)) from ai_holds), 0)::float8 as "oldestHoldSeconds",
              (select count(*) from ai_usage
                where usage_source = 'recovered' and at > now() - interval '1 hour')::int as "recoveredLastHour",
              coalesce((select extract(epoch from now() - min(noted_at)) from ai_usage_new), 0)::float8
                as "rollupLagSeconds"`,
    )
    .queryContext(everybody)
  const [state] = rows
  // One that allows nothing was never full of anything.
  const full = (await readFullness(db, rates, await quotas.list())).filter(({ quota }) => quota.limit > 0n)
  return {
    ...{ openHolds: Number(state.openHolds), oldestHoldSeconds: Math.max(0, Number(state.oldestHoldSeconds)) },
    recoveredLastHour: Number(state.recoveredLastHour),
    rollupLagSeconds: Math.max(0, Number(state.rollupLagSeconds)),
    nearLimit: full.filter(({ ratio }) => ratio >= near && ratio < 1).length,
    exhausted: full.filter(({ ratio }) => ratio >= 1).length,
  }
}
