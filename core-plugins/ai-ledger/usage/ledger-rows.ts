import type { Knex } from 'knex'
import { ParamsInvalidError } from '#kernel'
import { showMoney } from '../quotas/show-amount.ts'
import type { SumRow } from './figures.ts'
import { isRequestRow } from './sum-usage.ts'
import { narrow, type UsageRange } from './usage-filter.ts'

const exportedAtOnce = 1000

/** A row of the ledger; bigints come as text. */
export interface LedgerRow {
  readonly id: string
  readonly request_id: string
  readonly attempt: number
  readonly at: Date
  readonly tenant_id: number
  readonly user_id: number | null
  readonly key_id: string | null
  readonly agent_id: string | null
  readonly conversation_id: string | null
  readonly purpose: string
  readonly model_id: string
  readonly model: string
  readonly model_version: number
  readonly provider_id: string
  readonly input_tokens: string
  readonly cached_input_tokens: string
  readonly cache_write_tokens: string
  readonly output_tokens: string
  readonly reasoning_tokens: string
  readonly cost_nano: string
  readonly list_cost_nano: string
  readonly usage_source: string
  readonly outcome: string
  readonly ttft_ms: number | null
  readonly duration_ms: number
  readonly stream: boolean
  readonly cached: boolean
  readonly tool_calls: number
  readonly tool_cpu_ms: string
  readonly sandbox_ms: string
  readonly tags: readonly string[] | null
}

/** Filters that sums cannot answer. */
export interface RowFilter {
  readonly outcome?: string
  readonly request_id?: string
}

/** Rows of a period, newest first: those after a cursor, and one more than wanted. */
export async function listRows(
  db: Knex,
  range: UsageRange,
  filter: RowFilter,
  { cursor, limit }: { readonly cursor?: string; readonly limit: number },
): Promise<readonly LedgerRow[]> {
  const query = rowsOf(db, range, filter)
  if (cursor !== undefined) void query.whereRaw('(at, id) < (?::timestamptz, ?::uuid)', [...readCursor(cursor)])
  return query.orderByRaw('at desc, id desc').limit(limit + 1)
}

/** Every row of a period, oldest first, some at a time: as much memory for a million as for a thousand. */
export async function* allRows(db: Knex, range: UsageRange, filter: RowFilter): AsyncGenerator<LedgerRow> {
  for (let last: LedgerRow | undefined, isFirst = true; isFirst || last; isFirst = false) {
    const query = rowsOf(db, range, filter)
    if (last) void query.whereRaw('(at, id) > (?::timestamptz, ?::uuid)', [last.at, last.id])
    const rows: readonly LedgerRow[] = await query.orderByRaw('at, id').limit(exportedAtOnce)
    yield* rows
    last = rows.length === exportedAtOnce ? rows.at(-1) : undefined
  }
}

/** How many rows a period has, those of tools included, which sums of requests leave out. */
export async function countRows(db: Knex, range: UsageRange, filter: RowFilter): Promise<number> {
  const [row] = await matching(db, range, filter).count<readonly { count: string }[]>({ count: '*' })
  return Number(row?.count ?? 0)
}

/** What the rows of a period come to. */
export async function sumRows(db: Knex, range: UsageRange, filter: RowFilter): Promise<SumRow | undefined> {
  const sums = [
    ...[`sum((${isRequestRow})::int)::text as requests`, 'sum(input_tokens)::text as input_tokens'],
    ...['sum(output_tokens)::text as output_tokens', 'sum(cost_nano)::text as cost_nano'],
  ]
  const [row] = await matching(db, range, filter).select<SumRow[]>(sums.map((sum) => db.raw(sum)))
  return row
}

/** Where a list goes on after a row. */
export function cursorAfter({ at, id }: LedgerRow): string {
  return `${at.getTime()}_${id}`
}

/** A row as the wire shows it. */
export function presentRow(row: LedgerRow, currency: string) {
  const { cost_nano: cost, list_cost_nano: listCost, at, tenant_id: tenant, ...rest } = row
  return {
    ...rest,
    at: at.toISOString(),
    tenant_id: tenant === 0 ? null : tenant,
    ...{ input_tokens: Number(row.input_tokens), cached_input_tokens: Number(row.cached_input_tokens) },
    ...{ cache_write_tokens: Number(row.cache_write_tokens), output_tokens: Number(row.output_tokens) },
    reasoning_tokens: Number(row.reasoning_tokens),
    requests: row.purpose === 'tool' && row.model_id === '' ? 0 : 1,
    ...{ tool_cpu_ms: Number(row.tool_cpu_ms), sandbox_ms: Number(row.sandbox_ms), tags: row.tags ?? [] },
    ...{ cost: showMoney(BigInt(cost)), list_cost: showMoney(BigInt(listCost)), currency },
  }
}

/** What the wire shows of a row, in its order. */
const columns = [
  ...(['id', 'request_id', 'attempt', 'at', 'tenant_id', 'user_id', 'key_id', 'agent_id', 'conversation_id'] as const),
  ...(['purpose', 'model_id', 'model', 'model_version', 'provider_id', 'input_tokens', 'cached_input_tokens'] as const),
  ...(['cache_write_tokens', 'output_tokens', 'reasoning_tokens', 'cost_nano', 'list_cost_nano'] as const),
  ...(['usage_source', 'outcome', 'ttft_ms', 'duration_ms', 'stream', 'cached'] as const),
  ...(['tool_calls', 'tool_cpu_ms', 'sandbox_ms', 'tags'] as const),
] as const

function rowsOf(db: Knex, range: UsageRange, more: RowFilter): Knex.QueryBuilder<object, LedgerRow[]> {
  return matching(db, range, more).select<LedgerRow[]>(...columns)
}

function matching(db: Knex, { from, to, filter }: UsageRange, more: RowFilter): Knex.QueryBuilder<object, object[]> {
  const query: Knex.QueryBuilder<object, object[]> = db<object>('ai_usage')
    .queryContext({ tenant: filter.tenant_id ?? 'all' })
    .where('at', '>=', from)
    .where('at', '<', to)
    .select()
  narrow(query, { ...filter, ...more })
  return query
}

function readCursor(cursor: string): readonly [Date, string] {
  const [time = '', id = ''] = cursor.split('_')
  if (/^\d{1,15}$/.test(time) && /^[0-9a-f-]{36}$/.test(id)) return [new Date(Number(time)), id]
  throw new ParamsInvalidError({ errors: [{ field: 'cursor', rule: 'cursor', message: 'is none of this list' }] })
}
