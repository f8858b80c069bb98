import type { Knex } from 'knex'
import type { Principal } from '#kernel'
import type { RoutingTable } from '../routing/routing-table.ts'
import type { Catalogue } from '../catalogue/types.ts'
import { knownTargets, type KnownTarget } from '../failover/known-targets.ts'
import { readFigures, type FigureRow } from './figure-rows.ts'
import type { groupings } from './groupings.ts'
import { percentile, successRate, sumFigures } from './figures.ts'

/** Over which time. */
const windows = { '5m': 5, '1h': 60, '24h': 1_440 } as const

type Grouping = (typeof groupings)[number]

/** What the gateway did, over all hosts. */
export class GatewayStats {
  readonly #db: Knex
  readonly #table: RoutingTable
  readonly #catalogue: () => Catalogue

  constructor(db: Knex, table: RoutingTable, catalogue: () => Catalogue) {
    this.#db = db
    this.#table = table
    this.#catalogue = catalogue
  }

  async read(window: keyof typeof windows, grouping: Grouping, { scope, tenantId }: Principal) {
    const to = new Date()
    const from = new Date(to.getTime() - windows[window] * 60_000)
    const reach = scope === 'tenant' ? tenantId : undefined
    const rows = await readFigures(this.#db, from, reach)
    const requests = sum(rows.filter(({ target }) => target === ''))
    const groups = Map.groupBy(
      rows.filter(({ target }) => (grouping === 'tenant' ? target === '' : target !== '')),
      (row) => nameOf(row, grouping),
    )
    const known = grouping === 'target' || reach !== undefined ? knownTargets(this.#catalogue(), reach) : []
    const ratio = requests.requests === 0 ? 0 : requests.retries / requests.requests
    return {
      ...{ window, group_by: grouping, from: from.toISOString(), to: to.toISOString() },
      totals: {
        ...{ requests: requests.requests, success: requests.success, retries: requests.retries },
        ...{
          failovers: requests.failovers,
          client_aborts: requests.aborts,
          rejected: { quota: 0, rate: 0, ...requests.rejected },
        },
        in_flight: reach === undefined ? this.#table.inFlight : this.#inFlight(known, reach),
      },
      items: [...groups].map(([name, group]) => this.#item(name, group, grouping, known)),
      retry_budget: { ratio: round(ratio), limit: this.#catalogue().gateway.retry.budgetRatio },
    }
  }

  /** Requests under way at the providers of a tenant's own: what others send to the platform's is not its to know. */
  #inFlight(known: readonly KnownTarget[], tenantId: number): number {
    const own = known.filter(({ leg }) => leg.provider.tenantId === tenantId).map(({ leg }) => leg.key)
    return [...new Set(own)].reduce((all, key) => all + this.#table.target(key).inFlight, 0)
  }

  #item(name: string, rows: readonly FigureRow[], grouping: Grouping, known: readonly KnownTarget[]) {
    const all = sum(rows)
    const { requests, aborts, errors, latency, ttft, speed } = all
    const [first] = rows
    const key = grouping === 'target' ? first?.key : undefined
    return {
      [grouping]: name,
      ...{ requests, success_rate: successRate(all), errors: named(errors), client_aborts: aborts },
      latency_ms: { p50: percentile(latency, 0.5), p95: percentile(latency, 0.95), p99: percentile(latency, 0.99) },
      ttft_ms: { p50: percentile(ttft, 0.5), p95: percentile(ttft, 0.95) },
      tokens_per_s_p50: percentile(speed, 0.5),
      ...(key !== undefined && { ...this.#present(key), ...this.#weights(name, key, known) }),
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

  /** What a target weighs in its route, and what of its tier's weight it has at the moment; of one that is not there any more nothing. */
  #weights(name: string, key: string, known: readonly KnownTarget[]) {
    const found = known.find(({ leg }) => leg.id === name && leg.key === key)
    if (!found) return {}
    const { leg, route } = found
    const legs = route ? known.filter((each) => each.route?.id === route.id).map((each) => each.leg) : [leg]
    const strategy = route?.strategy ?? this.#catalogue().gateway.defaultStrategy
    const { candidates } = this.#table.survey(legs, strategy, { inputTokens: 0, maxOutputTokens: 0 })
    const share = candidates.find(({ target }) => target.id === leg.id)?.share ?? 0
    const tier = candidates.filter(({ target }) => target.tier === leg.tier)
    const whole = tier.reduce((all, { target }) => all + target.weight, 0)
    return { weight: leg.weight, effective_weight: Math.round(share * whole * 10) / 10 }
  }
}

/** Faults as the settings name them by which requests are sent again. */
const faultNames: Readonly<Record<string, string>> = { server: '5xx', rate_limit: '429' }

function named(errors: Readonly<Record<string, number>>): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(errors).map(([name, count]) => [faultNames[name] ?? name, count]))
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
