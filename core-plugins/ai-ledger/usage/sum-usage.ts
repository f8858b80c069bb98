import type { Knex } from 'knex'

const batch = 5_000

/** First tokens that came within so many milliseconds; those that came later are counted after the last. */
export const ttftLimits = [
  ...[50, 100, 150, 200, 300, 400, 500, 700, 1000, 1500, 2000, 3000, 4000, 6000, 8000, 12_000, 20_000, 30_000, 60_000],
] as const

/** Whether a row of the ledger is of a call of a model: a tool that is called between them has none, and may count for nothing. */
export const isRequestRow = `(purpose <> 'tool' or model_id <> '')`

/** The tags of a row of the ledger, at least one. */
export const tagsOfRow = `coalesce(nullif(tags, '{}'), array[''])`

const full = ['tenant_id', 'model_id', 'model', 'provider_id', 'purpose', 'key_id', 'user_id', 'agent_id'] as const
const few = ['tenant_id', 'model_id', 'model', 'provider_id', 'purpose'] as const

/** The tables of sums, by what tells their rows apart beside the time; `from` is what they are made of, if not of new rows as they are. */
const tables: readonly SumTable[] = [
  { table: 'ai_usage_hours', unit: 'hour', keys: full },
  { table: 'ai_usage_days', unit: 'day', keys: full },
  { table: 'ai_usage_totals', unit: 'hour', keys: few },
  { table: 'ai_usage_day_totals', unit: 'day', keys: few },
  { table: 'ai_usage_platform', unit: 'hour', keys: few, ofAll: true },
  { table: 'ai_usage_platform_days', unit: 'day', keys: few, ofAll: true },
  // A call without a tag is of the tag '': what nobody marked is to be seen, too.
  { table: 'ai_usage_tags', unit: 'hour', keys: [...few, 'tag'], from: `fresh, unnest(${tagsOfRow}) as g (tag)` },
]

interface SumTable {
  readonly table: string
  readonly unit: 'hour' | 'day'
  readonly keys: readonly string[]
  /** Of all tenants together, as tenant 0's. */
  readonly ofAll?: boolean
  readonly from?: string
}

const counts = ['input_tokens', 'cached_input_tokens', 'cache_write_tokens', 'output_tokens', 'reasoning_tokens']
const tools = ['tool_calls', 'tool_cpu_ms', 'sandbox_ms']
const money = ['cost_nano', 'list_cost_nano', 'possible_cost_nano', 'saved_nano']

/** How each figure is made of rows of the ledger. */
export const figures: readonly (readonly [column: string, sum: string])[] = [
  // A tool is called within a request, and is none.
  ['requests', `count(*) filter (where ${isRequestRow})`],
  ['errors', `count(*) filter (where ${isRequestRow} and outcome in ('upstream_error', 'truncated'))`],
  ['estimated', `count(*) filter (where usage_source <> 'provider')`],
  ...[...counts, ...tools, ...money, 'duration_ms'].map((column) => [column, `sum(${column})`] as const),
  [
    'ttft',
    `array[${Array.from({ length: ttftLimits.length + 1 }, (_, at) => `count(*) filter (where bin = ${at})`).join(', ')}]`,
  ],
]

/**
 * Adds rows of the ledger that the sums do not have yet, each once: they leave the list of new ones in the statement that adds them.
 * Answers how many there were. One host at a time does it.
 */
async function sumUsage(db: Knex): Promise<number> {
  return db.transaction(async (trx) => {
    const { rows: locks } = await trx.raw<{ rows: [{ is_mine: boolean }] }>(
      `select pg_try_advisory_xact_lock(hashtextextended('ai_ledger.sums', 0)) as is_mine`,
    )
    if (!locks[0].is_mine) return 0
    // Each new row is found by its key, however large the ledger is.
    await trx.raw('set local enable_hashjoin = off; set local enable_mergejoin = off')
    const { rows } = await trx.raw<{ rows: [{ count: number }] }>(statement).queryContext({ tenant: 'all' })
    return rows[0].count
  })
}

/** Adds all that is new; where nothing is, it asks for that alone. */
export async function sumAllUsage(db: Knex): Promise<void> {
  const { rows } = await db
    .raw<{ rows: readonly [{ is_new: boolean }] }>('select exists (select from ai_usage_new) as is_new')
    .queryContext({ tenant: 'all' })
  if (!rows[0].is_new) return
  while ((await sumUsage(db)) === batch);
}

const statement = `
  with taken as materialized (
    delete from ai_usage_new where ctid = any (array(select ctid from ai_usage_new limit ${batch}))
    returning request_id, attempt, at),
  fresh as materialized (
    select u.*, coalesce(u.key_id, '') as own_key, coalesce(u.user_id, 0) as own_user, coalesce(u.agent_id, '') as own_agent,
           width_bucket(u.ttft_ms, array[${ttftLimits.join(', ')}]) as bin
      from taken t join ai_usage u on u.request_id = t.request_id and u.attempt = t.attempt and u.at = t.at),
  ${tables.map(adding).join(',\n')}
  select count(*)::int as count from taken`

function adding({ table, unit, keys, ofAll = false, from = 'fresh' }: SumTable): string {
  const of: Readonly<Record<string, string>> = {
    ...{ key_id: 'own_key', user_id: 'own_user', agent_id: 'own_agent' },
    ...(ofAll && { tenant_id: '0' }),
  }
  const all = ['slot', ...keys]
  const add = ([column]: readonly [string, string]): string =>
    column === 'ttft'
      ? `ttft = array(select a + b from unnest(s.ttft, excluded.ttft) with ordinality as x (a, b, n) order by n)`
      : `${column} = s.${column} + excluded.${column}`
  return `into_${table} as (
    insert into ${table} as s (${[...all, ...figures.map(([column]) => column)].join(', ')})
    select date_trunc('${unit}', at, 'UTC') as slot, ${keys.map((key) => of[key] ?? key).join(', ')},
           ${figures.map(([, sum]) => sum).join(', ')}
      from ${from} group by ${all.map((_, at) => at + 1).join(', ')}
    on conflict (${all.join(', ')}) do update set ${figures.map(add).join(', ')})`
}
