import { ParamsInvalidError, type Principal, calendarSteps } from '#kernel'
import type { Knex } from 'knex'
import { shownFigures, showFigure, type Figure, type SumRow } from './figures.ts'
import { readSums } from './read-sums.ts'
import { groupings, readRange, readWords, type Grouping, type UsageFilter } from './usage-filter.ts'

const units = { '1m': 'minute', '1h': 'hour', '1d': 'day', '1mo': 'month' } as const
const mostBuckets = 1000
const usual: readonly Figure[] = ['requests', 'input_tokens', 'output_tokens', 'cost', 'errors', 'ttft_p50_ms']

/** Which figures over which time are wanted. */
interface TrendQuery extends UsageFilter {
  readonly from?: string
  readonly to?: string
  readonly bucket?: keyof typeof units
  readonly tz?: string
  readonly group_by?: string
  readonly metrics?: string
  readonly cursor?: string
}

/** Figures by time: every bucket is there, those in which nothing was called too. At most 1,000 at once. */
export async function readTrends(db: Knex, asker: Principal, query: TrendQuery) {
  const { bucket = '1d', tz = 'UTC', group_by: groups, metrics, cursor, ...rest } = query
  const range = readRange(asker, { ...rest, ...(cursor !== undefined && { from: readTime(cursor) }) })
  const groupBy = readWords(groups, groupings, 'group_by')
  const asked = readWords(metrics, shownFigures, 'metrics')
  const shown = asked.length > 0 ? asked : usual
  const end = endOf(range.from, range.to, bucket, tz)
  const steps = calendarSteps(units[bucket], tz, range.from, end)
  const edges = [range.from, ...steps.filter((step) => step > range.from && step < end), end]
  const wanted = { edges, filter: range.filter, groupBy, withTtft: shown.some((figure) => figure.startsWith('ttft')) }
  const rows = range.isEmpty ? [] : await readSums(db, wanted)
  const byPart = Map.groupBy(rows, ({ part }) => Number(part))
  const buckets = edges.slice(0, -1).map((from, at) => ({
    ...{ from: from.toISOString(), to: (edges[at + 1] ?? end).toISOString() },
    results: (byPart.get(at + 1) ?? []).map((row) => presentSums(row, groupBy, shown)),
  }))
  return { buckets, next_cursor: end < range.to ? end.toISOString() : null }
}

/** The group of a row of sums as the wire has it. */
export function presentGroup(row: SumRow, groupBy: readonly Grouping[]) {
  return Object.fromEntries(
    groupBy.map((group) => [group, row[group] === '' || row[group] === 0 ? null : row[group]] as const),
  )
}

function presentSums(row: SumRow, groupBy: readonly Grouping[], shown: readonly Figure[]) {
  const figures = Object.fromEntries(shown.map((figure) => [figure, showFigure(row, figure)]))
  return { group: presentGroup(row, groupBy), ...figures }
}

/** Where a page of buckets ends. */
function endOf(from: Date, to: Date, bucket: keyof typeof units, tz: string): Date {
  const size = { '1m': 60_000, '1h': 3_600_000, '1d': 86_400_000, '1mo': 31 * 86_400_000 }[bucket]
  if ((to.getTime() - from.getTime()) / size <= mostBuckets) return to
  const near = new Date(from.getTime() + mostBuckets * size)
  return calendarSteps(units[bucket], tz, near, new Date(near.getTime() + 1))[0] ?? to
}

function readTime(cursor: string): string {
  if (!Number.isNaN(Date.parse(cursor))) return cursor
  throw new ParamsInvalidError({ errors: [{ field: 'cursor', rule: 'cursor', message: 'is none of this list' }] })
}
