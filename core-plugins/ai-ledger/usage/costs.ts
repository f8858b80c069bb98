import { calendarWindow } from '#kernel'
import type { Knex } from 'knex'
import type { Principal } from '#kernel'
import { showMoney } from '../quotas/show-amount.ts'
import type { SumRow } from './figures.ts'
import { readSums } from './read-sums.ts'
import { presentGroup } from './trends.ts'
import { groupings, narrow, readRange, readWords, type UsageFilter, type UsageRange } from './usage-filter.ts'

const shownAtMost = 1000
const dayMs = 86_400_000
/** A ledger with more rows in the period is compared with its sums only when that is asked for. */
const comparedAtMost = 2_000_000

/** Which costs are wanted. */
interface CostQuery extends UsageFilter {
  readonly from?: string
  readonly to?: string
  readonly tz?: string
  readonly group_by?: string
  readonly compare?: 'previous'
  readonly forecast?: boolean
  readonly reconcile?: boolean
}

/** What calls of a period cost and for whom, how that compares, and whether the sums say what the ledger says; all of one moment. */
export async function readCosts(db: Knex, asker: Principal, query: CostQuery, currency: string) {
  const { tz = 'UTC', group_by: groups = 'model', compare, forecast = false, reconcile = false, ...rest } = query
  const range = readRange(asker, rest)
  const groupBy = readWords(groups, groupings, 'group_by')
  return db.transaction(
    async (trx) => {
      const rows = range.isEmpty
        ? []
        : await readSums(trx, { edges: [range.from, range.to], filter: range.filter, groupBy })
      const before = compare && !range.isEmpty ? await readSums(trx, { ...previous(range), groupBy }) : undefined
      // A call counts for each of its tags, and once in all.
      const hasTags = groupBy.includes('tag') && !range.isEmpty
      const all = hasTags
        ? await readSums(trx, { edges: [range.from, range.to], filter: range.filter, groupBy: [] })
        : rows
      const allBefore = hasTags && before ? await readSums(trx, { ...previous(range), groupBy: [] }) : before
      const total = sumOf(all, 'cost_nano')
      const known = before && new Map(before.map((row) => [keyOf(row, groupBy), costOf(row)]))
      const items = rows
        .toSorted((one, other) => (costOf(one) < costOf(other) ? 1 : -1))
        .slice(0, shownAtMost)
        .map((row) => presentItem(row, { groupBy, total, before: known && (known.get(keyOf(row, groupBy)) ?? 0n) }))
      return {
        ...{ from: range.from.toISOString(), to: range.to.toISOString() },
        total: { amount: showMoney(total), list_amount: showMoney(sumOf(all, 'list_cost_nano')), currency },
        ...(allBefore && { previous: { amount: showMoney(sumOf(allBefore, 'cost_nano')), currency } }),
        items,
        ...(forecast && { forecast: await forecastOf(trx, range, tz) }),
        savings: { cached_input: showMoney(sumOf(all, 'saved_nano')) },
        possible_cost: showMoney(sumOf(all, 'possible_cost_nano')),
        reconciliation: await compareWithLedger(trx, range, all, reconcile),
      }
    },
    { isolationLevel: 'repeatable read', readOnly: true },
  )
}

function presentItem(
  row: SumRow,
  {
    groupBy,
    total,
    before,
  }: { groupBy: Parameters<typeof presentGroup>[1]; total: bigint; before: bigint | undefined },
) {
  const cost = costOf(row)
  return {
    group: presentGroup(row, groupBy),
    amount: showMoney(cost),
    list_amount: showMoney(BigInt(row['list_cost_nano'] as string)),
    share: total === 0n ? 0 : round(Number(cost) / Number(total)),
    requests: Number(row['requests']),
    tokens: Number(row['input_tokens']) + Number(row['output_tokens']),
    change: before === undefined || before === 0n ? null : round(Number(cost - before) / Number(before)),
  }
}

function previous({ from, to, filter }: UsageRange) {
  const length = to.getTime() - from.getTime()
  return { edges: [new Date(from.getTime() - length), from], filter }
}

/** What the month in which the period ends comes to, by its days until then: twice the standard error of a day on either side. */
async function forecastOf(trx: Knex, { to, filter, isEmpty }: UsageRange, tz: string) {
  const month = calendarWindow('month', tz, new Date(to.getTime() - 1))
  const until = to < month.to ? to : month.to
  const days = Math.max(1, Math.floor((until.getTime() - month.from.getTime()) / dayMs))
  const size = (until.getTime() - month.from.getTime()) / days
  const edges = Array.from({ length: days + 1 }, (_, at) => new Date(month.from.getTime() + Math.round(at * size)))
  const rows = isEmpty ? [] : await readSums(trx, { edges, filter, groupBy: [] })
  const costs = Array.from({ length: days }, (_, at) =>
    Number(rows.find(({ part }) => part === at + 1)?.['cost_nano'] ?? 0),
  )
  const sum = costs.reduce((one, other) => one + other, 0)
  const mean = sum / days
  const spread = Math.sqrt(costs.reduce((all, cost) => all + (cost - mean) ** 2, 0) / Math.max(1, days - 1))
  const left = (month.to.getTime() - until.getTime()) / size
  const show = (amount: number): string => showMoney(BigInt(Math.max(Math.round(sum), Math.round(amount))))
  const [amount, margin] = [sum + mean * left, 2 * spread * Math.sqrt(left)]
  return {
    period_end: month.to.toISOString(),
    amount: show(amount),
    low: show(amount - margin),
    high: show(amount + margin),
  }
}

/** Whether the sums, with what they do not have yet, come to what the rows of the ledger come to. */
async function compareWithLedger(
  trx: Knex,
  { from, to, filter, isEmpty }: UsageRange,
  rows: readonly SumRow[],
  isAsked: boolean,
) {
  const summed = sumOf(rows, 'cost_nano')
  const count = rows.reduce((all, row) => all + Number(row['requests']), 0)
  if (isEmpty || (count > comparedAtMost && !isAsked)) {
    return { ledger_total: null, rollup_total: showMoney(summed), equal: isEmpty ? true : null }
  }
  const query = trx<object>('ai_usage')
    .queryContext({ tenant: filter.tenant_id ?? 'all' })
    .where('at', '>=', from)
    .where('at', '<', to)
  narrow(query, filter)
  const [row] = await query.select<[{ total: string }]>(trx.raw('coalesce(sum(cost_nano), 0)::text as total'))
  const ledger = BigInt(row?.total ?? 0)
  return { ledger_total: showMoney(ledger), rollup_total: showMoney(summed), equal: ledger === summed }
}

function keyOf(row: SumRow, groupBy: Parameters<typeof presentGroup>[1]): string {
  return JSON.stringify(groupBy.map((group) => row[group]))
}

function costOf(row: SumRow): bigint {
  return BigInt(row['cost_nano'] as string)
}

function sumOf(rows: readonly SumRow[], column: string): bigint {
  return rows.reduce((sum, row) => sum + BigInt(row[column] as string), 0n)
}

function round(ratio: number): number {
  return Math.round(ratio * 10_000) / 10_000
}
