import type { Knex } from 'knex'
import { allowTime } from '#kernel'

const everybody = { tenant: 'all' } as const
const atOnce = 20_000

/** Who calls in a month of sums: so many requests, evenly over its hours, tenants, users (with a key each) and models. */
export const population = { tenants: 100, users: 2_000, models: 4, requests: 100_000_000 } as const

/** The tables of sums as the ledger has them: by hour or day, with users, keys and agents or without, and of all tenants together. */
const tables = [
  { table: 'ai_usage_hours', unit: 'hour', of: 'users' },
  { table: 'ai_usage_days', unit: 'day', of: 'users' },
  { table: 'ai_usage_totals', unit: 'hour', of: 'tenants' },
  { table: 'ai_usage_day_totals', unit: 'day', of: 'tenants' },
  { table: 'ai_usage_platform', unit: 'hour', of: 'all' },
  { table: 'ai_usage_platform_days', unit: 'day', of: 'all' },
] as const

type SumTable = (typeof tables)[number]

/**
 * Rows of twenty tenants with ten users each and four models, evenly over the month until now, for as long as is wished; then their sums. Answers how
 * many rows there are.
 */
export async function fillLedger(db: Knex, month: string, goesOn: () => boolean): Promise<number> {
  let rows = 0
  do {
    await db
      .raw(
        `insert into ai_usage
         select gen_random_uuid(), gen_random_uuid(), 1, t.at, t.at, n % 20 + 1, n % 200 + 1, 'key_' || n % 200, null, null, 'chat',
                'mdl_' || n / 7 % 4, 'model-' || n / 7 % 4, 1, 'prv_' || n / 7 % 2,
                100 + n % 900, 0, 0, 50 + n % 450, 0, 1000 + n % 9000, 1000 + n % 9000, 1000 + n % 9000, 0,
                'provider', case when n % 97 = 0 then 'upstream_error' else 'ok' end, 100 + n % 2000, 500 + n % 5000,
                true, false, 0, 0, 0
           from generate_series(?::int, ?::int) n,
                lateral (select ?::timestamptz + (now() - ?::timestamptz) * ((n * 7919::bigint) % 1000003) / 1000003 as at) t`,
        [rows, rows + atOnce - 1, month, month],
      )
      .queryContext(everybody)
    rows += atOnce
  } while (goesOn())
  await db.transaction(async (trx) => {
    await allowTime(trx)
    for (const each of tables) await trx.raw(summing(each)).queryContext(everybody)
  })
  return rows
}

/**
 * What so many requests leave in the sums of a month, without the requests. Of the detailed sums by hour only one tenant's are written, the one that is
 * asked for: the others' are millions, and nobody who asks for one tenant's reads them.
 */
export async function fillSums(
  trx: Knex.Transaction,
  from: string,
  to: string,
): Promise<readonly (readonly [table: string, rows: number])[]> {
  const filled: (readonly [string, number])[] = []
  for (const each of tables) {
    const { rowCount } = await trx.raw<{ rowCount: number }>(leaving(each), [from, to]).queryContext(everybody)
    filled.push([each.table, rowCount])
  }
  return filled
}

const keys = ['slot', 'tenant_id', 'model_id', 'model', 'provider_id', 'purpose'] as const
const details = ['key_id', 'user_id', 'agent_id'] as const

function summing({ table, unit, of }: SumTable): string {
  const own = [...keys, ...(of === 'users' ? details : [])]
  const figures = {
    ...{ requests: 'count(*)', errors: `count(*) filter (where outcome = 'upstream_error')`, estimated: '0' },
    ...{ input_tokens: 'sum(input_tokens)', cached_input_tokens: '0', cache_write_tokens: '0' },
    ...{ output_tokens: 'sum(output_tokens)', reasoning_tokens: '0', cost_nano: 'sum(cost_nano)' },
    ...{ list_cost_nano: 'sum(list_cost_nano)', possible_cost_nano: 'sum(possible_cost_nano)', saved_nano: '0' },
    ...{ tool_calls: '0', tool_cpu_ms: '0', sandbox_ms: '0' },
    ...{ duration_ms: 'sum(duration_ms)', ttft: 'array(select count(*) / 20 from generate_series(1, 20))' },
  }
  return `insert into ${table} (${[...own, ...Object.keys(figures)].join(', ')})
    select date_trunc('${unit}', at, 'UTC'), ${of === 'all' ? '0' : 'tenant_id'}, model_id, model, provider_id, purpose${of === 'users' ? `, key_id, user_id, ''` : ''},
           ${Object.values(figures).join(', ')}
      from ai_usage group by ${own.map((_, place) => place + 1).join(', ')}`
}

function leaving({ table, unit, of }: SumTable): string {
  const { tenants, users, models, requests } = population
  const groups = { users, tenants, all: 1 }[of]
  const slots = unit === 'hour' ? 720 : 30
  const each = Math.round(requests / (groups * models * slots))
  const own = [...keys, ...(of === 'users' ? details : [])]
  const figures = {
    ...{ requests: each, errors: Math.ceil(each / 97), estimated: 0, input_tokens: each * 500, cached_input_tokens: 0 },
    ...{ cache_write_tokens: 0, output_tokens: each * 250, reasoning_tokens: 0, cost_nano: each * 5_000 },
    ...{ list_cost_nano: each * 5_000, possible_cost_nano: each * 5_000, saved_nano: 0, tool_calls: 0, tool_cpu_ms: 0 },
    ...{
      sandbox_ms: 0,
      duration_ms: each * 3_000,
      ttft: `array(select ${String(Math.ceil(each / 20))} from generate_series(1, 20))`,
    },
  }
  const tenant = of === 'all' ? '0' : of === 'tenants' ? 'g' : `(g - 1) % ${String(tenants)} + 1`
  const isOne = of === 'users' && unit === 'hour'
  return `insert into ${table} (${[...own, ...Object.keys(figures)].join(', ')})
    select slot, ${tenant}, 'mdl_' || m, 'model-' || m, 'prv_' || m % 2, 'chat'${of === 'users' ? `, 'key_' || g, g, ''` : ''},
           ${Object.values(figures).join(', ')}
      from generate_series(?::timestamptz, ?::timestamptz - interval '1 ${unit}', interval '1 ${unit}') slot,
           generate_series(1, ${String(groups)}) g, generate_series(1, ${String(models)}) m
     ${isOne ? `where ${tenant} = 3` : ''}`
}
