import type { Knex } from 'knex'
import type { SumRow } from './figures.ts'
import { isRequestRow, tagsOfRow, ttftLimits } from './sum-usage.ts'
import type { Grouping, UsageFilter } from './usage-filter.ts'

const hourMs = 3_600_000
const dayMs = 86_400_000

const sums = [
  ...(['requests', 'errors', 'estimated', 'input_tokens', 'cached_input_tokens', 'cache_write_tokens'] as const),
  ...(['output_tokens', 'reasoning_tokens', 'tool_calls', 'tool_cpu_ms', 'sandbox_ms'] as const),
  ...(['cost_nano', 'list_cost_nano', 'possible_cost_nano', 'saved_nano'] as const),
] as const
const bins = ttftLimits.map((_, at) => at).concat(ttftLimits.length)

/** Of a row of the ledger, what it adds to each sum. */
const own: Readonly<Record<string, string>> = {
  requests: `${isRequestRow}::int`,
  errors: `(${isRequestRow} and outcome in ('upstream_error', 'truncated'))::int`,
  estimated: `(usage_source <> 'provider')::int`,
}

const columns: Readonly<Record<Grouping, string>> = {
  tenant: 'tenant_id',
  user: 'user_id',
  key: 'key_id',
  agent: 'agent_id',
  model: 'model',
  provider: 'provider_id',
  purpose: 'purpose',
  tag: 'tag',
}
/** Sums that are kept without these are smaller. */
const detailed = ['user_id', 'key_id', 'agent_id']

/** Which sums are wanted. */
interface SumQuery {
  /** Ascending: one row of sums and group for each time between two of them. */
  readonly edges: readonly Date[]
  readonly filter: UsageFilter
  readonly groupBy: readonly Grouping[]
  readonly withTtft?: boolean
}

interface Sql {
  readonly text: string
  readonly bindings: readonly (string | number)[]
}

/**
 * Sums of the ledger between edges: from the kept sums where whole hours or days lie between two of them, from the ledger itself for the
 * parts of hours at edges, and from what the kept sums do not have yet. `part` is the place among the edges, from 1.
 */
export async function readSums(db: Knex, query: SumQuery): Promise<readonly SumRow[]> {
  const { edges, groupBy, withTtft = false } = query
  const { whole, pieces, unit } = divide(edges)
  const table = tableOf(unit, query)
  const sources = table
    ? [
        ...whole.map((span) => kept(table, span, query)),
        ...whole.map((span) => fresh(span, query)),
        ...pieces.map((piece) => ledger(piece, query)),
      ]
    : [...whole, ...pieces].map((span) => ledger(span, query))
  if (sources.length === 0) return []
  const groups = groupBy.map((group) => `"${group}"`)
  const ttft = withTtft ? `, array[${bins.map((at) => `sum(t${at})`).join(', ')}]::text[] as ttft` : ''
  const by = ['part', ...groups]
  const { rows } = await db
    .raw<{ rows: SumRow[] }>(
      `select ${by.join(', ')}, ${sums.map((sum) => `sum(${sum})::text as ${sum}`).join(', ')}${ttft}
         from (${sources.map(({ text }) => text).join(' union all ')}) as parts group by ${by.join(', ')} order by ${by.join(', ')}`,
      sources.flatMap(({ bindings }) => bindings),
    )
    .queryContext({ tenant: query.filter.tenant_id ?? 'all' })
  return rows
}

type Span = readonly [from: Date, to: Date]

/** Cuts what lies between the first and the last edge into whole units that no edge cuts, and the pieces of hours that are left. */
function divide(edges: readonly Date[]): {
  readonly whole: readonly Span[]
  readonly pieces: readonly Span[]
  readonly unit: 'hour' | 'day'
} {
  const times = edges.map((edge) => edge.getTime())
  const unit = times.every((time) => time % dayMs === 0) ? 'day' : 'hour'
  const size = unit === 'day' ? dayMs : hourMs
  const [whole, pieces]: [[number, number][], [number, number][]] = [[], []]
  const add = (list: [number, number][], from: number, to: number): void => {
    if (from >= to) return
    const last = list.at(-1)
    // What follows on is read together.
    if (last && last[1] === from) last[1] = to
    else list.push([from, to])
  }
  for (const [at, to] of times.entries()) {
    const from = times[at - 1]
    if (from === undefined) continue
    const [first, last] = [Math.ceil(from / size) * size, Math.floor(to / size) * size]
    add(pieces, from, Math.min(first, to))
    add(whole, first, last)
    if (last >= first) add(pieces, last, to)
  }
  const dates = (list: readonly [number, number][]): Span[] => list.map(([from, to]) => [new Date(from), new Date(to)])
  return { whole: dates(whole), pieces: dates(pieces), unit }
}

/** The smallest sums that know what is asked for; undefined where there are none. */
function tableOf(unit: 'hour' | 'day', query: SumQuery): string | undefined {
  const used = usedBy(query)
  const isDetailed = used.some((column) => detailed.includes(column))
  if (used.includes('tag')) return isDetailed ? undefined : 'ai_usage_tags'
  if (isDetailed) return unit === 'day' ? 'ai_usage_days' : 'ai_usage_hours'
  if (used.includes('tenant_id')) return unit === 'day' ? 'ai_usage_day_totals' : 'ai_usage_totals'
  return unit === 'day' ? 'ai_usage_platform_days' : 'ai_usage_platform'
}

function usedBy({ groupBy, filter }: SumQuery): readonly string[] {
  return [...groupBy.map((group) => columns[group]), ...Object.keys(filter)]
}

function kept(table: string, span: Span, query: SumQuery): Sql {
  return selecting(query, {
    ...{ from: `${table} s`, time: 'slot', span },
    sum: (column) => `sum(${column})`,
    bin: (at) => `sum(ttft[${at + 1}])`,
    value: (column) => column,
  })
}

function ledger(span: Span, query: SumQuery): Sql {
  return fromLedger('ai_usage s', span, query)
}

/** Rows of the ledger that the kept sums do not have yet. */
function fresh(span: Span, query: SumQuery): Sql {
  return fromLedger('ai_usage_new n join ai_usage s using (request_id, attempt, at, tenant_id)', span, query)
}

function fromLedger(from: string, span: Span, query: SumQuery): Sql {
  const bin = `width_bucket(ttft_ms, array[${ttftLimits.join(', ')}])`
  const isTagged = usedBy(query).includes('tag')
  return selecting(query, {
    ...{ from: isTagged ? `${from} cross join lateral unnest(${tagsOfRow}) as g (tag)` : from, time: 'at', span },
    sum: (column) => `sum(${own[column] ?? column})`,
    bin: (at) => `count(*) filter (where ${bin} = ${at})`,
    value: (column) =>
      column === 'user_id' ? 'coalesce(user_id, 0)' : detailed.includes(column) ? `coalesce(${column}, '')` : column,
  })
}

interface Source {
  readonly from: string
  readonly time: string
  readonly span: Span
  readonly sum: (column: string) => string
  readonly bin: (at: number) => string
  readonly value: (column: string) => string
}

function selecting(
  { edges, filter, groupBy, withTtft = false }: SumQuery,
  { from, time, span, sum, bin, value }: Source,
): Sql {
  const given = Object.entries(filter) as (readonly [string, string | number])[]
  const all = [
    ...groupBy.map((group) => `${value(columns[group])} as "${group}"`),
    ...sums.map((column) => `${sum(column)} as ${column}`),
    ...(withTtft ? bins.map((at) => `${bin(at)} as t${at}`) : []),
  ]
  const by = [1, ...groupBy.map((_, at) => at + 2)].join(', ')
  return {
    text: `select width_bucket(${time}, array[${edges.map(() => '?').join(', ')}]::timestamptz[]) as part, ${all.join(', ')} from ${from}
            where ${time} >= ? and ${time} < ?${given.map(([column]) => ` and ${column} = ?`).join('')} group by ${by}`,
    bindings: [
      ...edges.map((edge) => edge.toISOString()),
      ...span.map((edge) => edge.toISOString()),
      ...given.map(([, wanted]) => wanted),
    ],
  }
}
