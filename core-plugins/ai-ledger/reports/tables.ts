import { calendarSteps } from '#kernel'
import type { Knex } from 'knex'
import { readMoney, showMoney } from '../quotas/show-amount.ts'
import type { SumRow } from '../usage/figures.ts'
import { readSums } from '../usage/read-sums.ts'
import type { UsageFilter } from '../usage/usage-filter.ts'
import type { ReportWish } from './report.ts'

/** Days before, with which a day is compared. */
const comparedDays = 7
/** Standard deviations above their mean, beyond which a day stands out. */
const deviations = 3

type Cells = Readonly<Record<string, string | number | boolean | null>>

/** The rows of a report. */
export function readTable(db: Knex, wish: ReportWish, filter: UsageFilter): Promise<readonly Cells[]> {
  switch (wish.type) {
    case 'anomaly':
      return anomalies(db, wish, filter)
    case 'reconcile':
      return reconciled(db, wish, filter)
    case 'summary':
      return sumsBy(db, { ...wish, group_by: [] }, filter)
    case 'cost_by':
    case 'chargeback':
      return sumsBy(db, wish, filter)
  }
}

async function sumsBy(
  db: Knex,
  { from, to, group_by: groupBy }: ReportWish,
  filter: UsageFilter,
): Promise<readonly Cells[]> {
  const rows = await readSums(db, { edges: [new Date(from), new Date(to)], filter, groupBy })
  return rows.map((row) => ({
    ...Object.fromEntries(groupBy.map((group) => [group, row[group] as string | number])),
    ...{ requests: Number(row['requests']), errors: Number(row['errors']), estimated: Number(row['estimated']) },
    ...{ input_tokens: Number(row['input_tokens']), cached_input_tokens: Number(row['cached_input_tokens']) },
    ...{ output_tokens: Number(row['output_tokens']), reasoning_tokens: Number(row['reasoning_tokens']) },
    ...{ list_cost: money(row, 'list_cost_nano'), cost: money(row, 'cost_nano') },
  }))
}

/** Days with what they cost, and whether that is far above the days before. */
async function anomalies(db: Knex, { from, to, tz }: ReportWish, filter: UsageFilter): Promise<readonly Cells[]> {
  const early = new Date(Date.parse(from) - comparedDays * 86_400_000)
  const edges = calendarSteps('day', tz, early, new Date(to))
  const rows = await readSums(db, { edges, filter, groupBy: [] })
  const costs = edges
    .slice(0, -1)
    .map((_, at) => BigInt((rows.find(({ part }) => part === at + 1)?.['cost_nano'] as string | undefined) ?? 0))
  return costs.flatMap((cost, at) => {
    const day = edges[at]
    if (!day || at < comparedDays || day < new Date(Date.parse(from) - 86_400_000)) return []
    const before = costs.slice(at - comparedDays, at).map(Number)
    const mean = before.reduce((one, other) => one + other, 0) / comparedDays
    const deviation = Math.sqrt(before.reduce((all, each) => all + (each - mean) ** 2, 0) / comparedDays)
    const usual = showMoney(BigInt(Math.round(mean)))
    return [
      {
        day: day.toISOString(),
        cost: showMoney(cost),
        usual,
        stands_out: Number(cost) > mean + deviations * deviation && Number(cost) > mean * 1.5,
      },
    ]
  })
}

interface LedgerDay {
  readonly day: Date
  readonly usage_source: string
  readonly requests: number
  readonly input_tokens: string
  readonly output_tokens: string
  readonly cost: string
  readonly possible: string
}

/**
 * The ledger of a provider by day and source of its figures, before markups, which are no matter of the vendor's; what it may charge beyond
 * (`gap`) for calls that were charged less, or to nobody; and how far the invoice is from all of it.
 */
async function reconciled(
  db: Knex,
  { from, to, tz, invoice }: ReportWish,
  filter: UsageFilter,
): Promise<readonly Cells[]> {
  const query = db('ai_usage')
    .queryContext({ tenant: filter.tenant_id ?? 'all' })
    .where('at', '>=', from)
    .where('at', '<', to)
  if (invoice) void query.where({ provider_id: invoice.provider_id })
  if (filter.tenant_id !== undefined) void query.where({ tenant_id: filter.tenant_id })
  const days = await query
    .groupByRaw('1, 2')
    .orderByRaw('1, 2')
    .select<readonly LedgerDay[]>(
      db.raw(
        `date_trunc('day', at, ?) as day, usage_source, count(*)::int as requests, sum(input_tokens)::text as input_tokens,
         sum(output_tokens)::text as output_tokens, sum(list_cost_nano)::text as cost, sum(possible_cost_nano)::text as possible`,
        [tz],
      ),
    )
  const total = days.reduce((sum, { cost }) => sum + BigInt(cost), 0n)
  const invoiced = readMoney(invoice?.amount ?? '0') ?? 0n
  const sum = (column: 'input_tokens' | 'output_tokens'): number =>
    days.reduce((all, day) => all + Number(day[column]), 0)
  const possible = days.reduce((all, day) => all + BigInt(day.possible), 0n)
  const none = { requests: null, input_tokens: null, output_tokens: null, possible_cost: null, gap: null }
  const beyond = (invoiced: number | undefined, own: number): number | null =>
    invoiced === undefined ? null : invoiced - own
  return [
    ...days.map((day) => ({
      ...{ day: day.day.toISOString(), usage_source: day.usage_source, requests: day.requests },
      ...{ input_tokens: Number(day.input_tokens), output_tokens: Number(day.output_tokens) },
      ...{ cost: showMoney(BigInt(day.cost)), possible_cost: showMoney(BigInt(day.possible)) },
      gap: showMoney(BigInt(day.possible) - BigInt(day.cost)),
    })),
    {
      ...none,
      day: 'ledger',
      usage_source: 'all',
      input_tokens: sum('input_tokens'),
      output_tokens: sum('output_tokens'),
      cost: showMoney(total),
      possible_cost: showMoney(possible),
      gap: showMoney(possible - total),
    },
    {
      ...{ ...none, day: 'invoice', usage_source: 'all', cost: showMoney(invoiced) },
      ...{ input_tokens: invoice?.input_tokens ?? null, output_tokens: invoice?.output_tokens ?? null },
    },
    {
      ...{ ...none, day: 'gap', usage_source: 'all', cost: showMoney(invoiced - total) },
      input_tokens: beyond(invoice?.input_tokens, sum('input_tokens')),
      output_tokens: beyond(invoice?.output_tokens, sum('output_tokens')),
    },
  ]
}

function money(row: SumRow, column: string): string {
  return showMoney(BigInt(row[column] as string))
}
