import type { Knex } from 'knex'
import type { Principal } from '#kernel'
import type { RoutingTable } from '../routing/routing-table.ts'
import { readFigures, type FigureRow } from './figure-rows.ts'
import { percentile, successRate, sumFigures } from './figures.ts'

/** Over which time. */
const windows = { '5m': 5, '1h': 60, '24h': 1_440 } as const
/** What is shown as one. */
export const groupings = ['target', 'provider', 'model', 'tenant'] as const

type Grouping = (typeof groupings)[number]

/** What the gateway did, over all hosts. */
export class GatewayStats {
  readonly #db: Knex
  readonly #table: RoutingTable
  readonly #budgetRatio: () => number

  constructor(db: Knex, table: RoutingTable, budgetRatio: () => number) {
    this.#db = db
    this.#table = table
    this.#budgetRatio = budgetRatio
  }

  async read(window: keyof typeof windows, grouping: Grouping, { scope, tenantId }: Principal) {
    const to = new Date()
    const from = new Date(to.getTime() - windows[window] * 60_000)
    const rows = await readFigures(this.#db, from, scope === 'tenant' ? tenantId : undefined)
    const requests = sum(rows.filter(({ target }) => target === ''))
    const groups = Map.groupBy(
      rows.filter(({ target }) => (grouping === 'tenant' ? target === '' : target !== '')),
      (row) => nameOf(row, grouping),
    )
    const ratio = requests.requests === 0 ? 0 : requests.retries / requests.requests
    return {
      ...{ window, group_by: grouping, from: from.toISOString(), to: to.toISOString() },
      totals: {
        ...{ requests: requests.requests, success: requests.success, retries: requests.retries },
        ...{ failovers: requests.failovers, client_aborts: requests.aborts, rejected: requests.rejected },
        in_flight: this.#table.inFlight,
      },
      items: [...groups].map(([name, group]) => this.#item(name, group, grouping)),
      retry_budget: { ratio: round(ratio), limit: this.#budgetRatio() },
    }
  }

  #item(name: string, rows: readonly FigureRow[], grouping: Grouping) {
    const all = sum(rows)
    const { requests, aborts, errors, latency, ttft, speed } = all
    const [first] = rows
    const key = grouping === 'target' ? first?.key : undefined
    return {
      [grouping]: name,
      ...{ requests, success_rate: successRate(all), errors, client_aborts: aborts },
      latency_ms: { p50: percentile(latency, 0.5), p95: percentile(latency, 0.95), p99: percentile(latency, 0.99) },
      ttft_ms: { p50: percentile(ttft, 0.5), p95: percentile(ttft, 0.95) },
      tokens_per_s_p50: percentile(speed, 0.5),
      ...(key !== undefined && this.#present(key)),
    }
  }

  /** How a target stands now, as this host knows; of what others learnt it has heard. */
  #present(key: string) {
    const { breaker, cooldown, inFlight } = this.#table.target(key)
    const isCool = cooldown.until > Date.now()
    return {
      ...{ key, breaker: breaker.state, in_flight: inFlight },
      cooldown_until: isCool ? new Date(cooldown.until).toISOString() : null,
    }
  }
}

function nameOf({ target, key, model_id: model, tenant_id: tenant }: FigureRow, grouping: Grouping): string {
  switch (grouping) {
    case 'target':
      return target
    case 'provider':
      return key.split('/')[0] ?? ''
    case 'model':
      return model
    case 'tenant':
      return String(tenant)
  }
}

function sum(rows: readonly FigureRow[]) {
  return sumFigures(rows.map(({ figures }) => figures))
}

function round(value: number): number {
  return Math.round(value * 10_000) / 10_000
}
