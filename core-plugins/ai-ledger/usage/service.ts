import type { Knex } from 'knex'
import type { Principal } from '#kernel'
import type { ConfigReader } from '../../config/contract.ts'
import { showMoney } from '../quotas/show-amount.ts'
import { readCosts } from './costs.ts'
import { exportRows, type ExportFormat } from './export.ts'
import type { SumRow } from './figures.ts'
import { allRows, countRows, cursorAfter, listRows, presentRow, sumRows, type RowFilter } from './ledger-rows.ts'
import { readSums } from './read-sums.ts'
import { readTrends } from './trends.ts'
import { readRange, type UsageFilter, type UsageRange } from './usage-filter.ts'

interface RowQuery extends UsageFilter, RowFilter {
  readonly from?: string
  readonly to?: string
}

/** What calls used and cost. */
export class UsageService {
  readonly #db: Knex
  readonly #config: ConfigReader

  constructor(db: Knex, config: ConfigReader) {
    this.#db = db
    this.#config = config
  }

  async list(
    asker: Principal,
    {
      cursor,
      limit = 50,
      outcome,
      request_id,
      ...query
    }: RowQuery & { readonly cursor?: string; readonly limit?: number },
  ) {
    const range = readRange(asker, query)
    if (range.isEmpty) return { items: [], next_cursor: null, has_more: false, totals: null }
    const more = narrowing({ outcome, request_id })
    const [rows, totals, currency] = await Promise.all([
      listRows(this.#db, range, more, { limit, ...(cursor !== undefined && { cursor }) }),
      this.#totals(range, more),
      this.#currency(),
    ])
    const shown = rows.slice(0, limit)
    const last = shown.at(-1)
    const hasMore = rows.length > limit
    return {
      items: shown.map((row) => presentRow(row, currency)),
      next_cursor: hasMore && last ? cursorAfter(last) : null,
      has_more: hasMore,
      totals: totals && { ...totals, currency },
    }
  }

  trends(asker: Principal, query: Parameters<typeof readTrends>[2]) {
    return readTrends(this.#db, asker, query)
  }

  async costs(asker: Principal, query: Parameters<typeof readCosts>[2]) {
    return readCosts(this.#db, asker, query, await this.#currency())
  }

  /** A file of rows, read as it is sent; how many there are is counted before. */
  async export(
    asker: Principal,
    {
      format = 'csv',
      bom = false,
      outcome,
      request_id,
      ...query
    }: RowQuery & { readonly format?: ExportFormat; readonly bom?: boolean },
    gzip: boolean,
  ) {
    const range = readRange(asker, query)
    const more = narrowing({ outcome, request_id })
    const currency = await this.#currency()
    const count = range.isEmpty ? 0 : await countRows(this.#db, range, more)
    const rows = range.isEmpty ? nothing() : allRows(this.#db, range, more)
    return { ...exportRows(rows, { format, currency, bom, gzip }), format, range, count }
  }

  /** From the sums; those of one request row by row. Sums do not know how requests ended, and adding up all rows would read the whole ledger. */
  async #totals(range: UsageRange, more: RowFilter) {
    const { from, to, filter } = range
    if (more.request_id !== undefined) return presentTotals(await sumRows(this.#db, range, more))
    if (Object.keys(more).length > 0) return null
    const [row] = await readSums(this.#db, { edges: [from, to], filter, groupBy: [] })
    return presentTotals(row)
  }

  #currency(): Promise<string> {
    return this.#config.get('ai_currency', 0, 'USD')
  }
}

function presentTotals(row: SumRow | undefined) {
  return {
    requests: Number(row?.['requests'] ?? 0),
    input_tokens: Number(row?.['input_tokens'] ?? 0),
    output_tokens: Number(row?.['output_tokens'] ?? 0),
    cost: showMoney(BigInt((row?.['cost_nano'] as string | undefined) ?? 0)),
  }
}

function narrowing({
  outcome,
  request_id,
}: {
  readonly outcome: string | undefined
  readonly request_id: string | undefined
}): RowFilter {
  return { ...(outcome !== undefined && { outcome }), ...(request_id !== undefined && { request_id }) }
}

async function* nothing(): AsyncGenerator<never> {
  // Of another tenant there is nothing.
}
