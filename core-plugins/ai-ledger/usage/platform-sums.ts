import type { Knex } from 'knex'
import { figures, ttftLimits } from './sum-usage.ts'

/** Takes what a tenant that is no more used out of the sums of all tenants together; whoever sums has to be kept out meanwhile. */
export async function takeFromPlatform(trx: Knex.Transaction, tenantId: number): Promise<void> {
  for (const [table, unit] of [
    ['ai_usage_platform', 'hour'],
    ['ai_usage_platform_days', 'day'],
  ] as const) {
    await trx.raw(taking(table, unit), [tenantId]).queryContext({ tenant: 'all' })
    // Calls of tools may count for nothing: what is left of other tenants has its time.
    const nothing = { requests: 0, tool_calls: 0, tool_cpu_ms: 0, duration_ms: 0 }
    await trx(table).queryContext({ tenant: 'all' }).where(nothing).delete()
  }
}

function taking(table: string, unit: 'hour' | 'day'): string {
  const names = figures.map(([column]) => column)
  const bins = [...ttftLimits, Infinity].map((_, at) => `sum(ttft[${String(at + 1)}])`).join(', ')
  const sum = (column: string): string =>
    column === 'ttft' ? `array[${bins}]::bigint[] as ttft` : `sum(${column}) as ${column}`
  const rest = (column: string): string =>
    column === 'ttft'
      ? `ttft = array(select a - b from unnest(p.ttft, t.ttft) with ordinality as x (a, b, n) order by n)`
      : `${column} = p.${column} - t.${column}`
  return `
    update ${table} p set ${names.map(rest).join(', ')}
      from (select date_trunc('${unit}', slot, 'UTC') as slot, model_id, model, provider_id, purpose, ${names.map(sum).join(', ')}
              from ai_usage_totals where tenant_id = ? group by 1, 2, 3, 4, 5) t
     where p.slot = t.slot and p.model_id = t.model_id and p.model = t.model and p.provider_id = t.provider_id
       and p.purpose = t.purpose`
}
