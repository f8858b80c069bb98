import type { TextTeller } from '#kernel'
import type { Metering } from '#sandbox'
import type { Knex } from 'knex'
import type { InstalledPlugin } from '../plugins/contract.ts'
import type { TenantDirectory } from '../tenants/contract.ts'
import {
  presentMetrics,
  presentOwnMetrics,
  presentPluginUsage,
  presentTenant,
  presentTenantCost,
  presentWindow,
} from './present.ts'
import { readFailures, readGauges, type HostGauges } from './failure-reader.ts'
import { askedHours, edgesOf, lastHours, type MetricsWindow, type SeriesQuery } from './metrics-window.ts'
import { UsageReader, type NamedCounts, type TopMeasure } from './usage-reader.ts'

/** What the service stands on. */
interface MetricsServiceParts {
  readonly db: Knex
  readonly hostId: string
  readonly metering: Metering
  readonly teller: TextTeller
  readonly tenants: Pick<TenantDirectory, 'named'>
  /** Brings what this host counted into the database; others do it within seconds. */
  readonly flush: () => Promise<void>
}

/** What plugins cost, over all hosts, for the last so many hours. */
export class MetricsService {
  readonly #parts: MetricsServiceParts
  readonly #usage: UsageReader

  constructor(parts: MetricsServiceParts) {
    this.#parts = parts
    this.#usage = new UsageReader(parts.db)
  }

  /** Everything about one plugin. */
  async ofPlugin({ id, name }: InstalledPlugin, query: SeriesQuery, locale: string) {
    const window = await this.#open(askedHours(query))
    const edges = edgesOf(window, query)
    const sums = await this.#usage.ofPlugin(id, {
      from: window.from,
      to: query.to === undefined ? undefined : window.to,
    })
    const series = { edges, parts: await this.#usage.series(id, edges) }
    const failures = await readFailures(this.#parts.db, id)
    const names = await this.#named(sums.tenants)
    const reader = { teller: this.#parts.teller, locale }
    return presentMetrics(
      window,
      { ...sums, series, names },
      { gauges: await this.#gauges(id, name), failures, reader },
    )
  }

  /** What one plugin did and cost for a tenant. */
  async ofTenantsPlugin({ id, name }: Pick<InstalledPlugin, 'id' | 'name'>, tenantId: number, query: SeriesQuery) {
    const window = await this.#open(askedHours(query))
    const edges = edgesOf(window, query)
    const series = { edges, parts: await this.#usage.series(id, edges, tenantId) }
    return { tenant_id: tenantId, plugin: name, ...presentOwnMetrics(window, series) }
  }

  /** The plugins with the most of something. */
  async top(by: TopMeasure, hours: number, limit: number) {
    const window = await this.#open(lastHours(hours))
    const items = await this.#usage.top(by, window.from, limit)
    return { by, window: presentWindow(window), items: items.map(presentPluginUsage) }
  }

  /** What each tenant cost, the dearest first. */
  async tenants(hours: number) {
    const window = await this.#open(lastHours(hours))
    const tenants = await this.#usage.tenants(window.from)
    const names = await this.#named(tenants)
    const items = tenants.map((tenant) => presentTenant(tenant, names))
    return { window: presentWindow(window), items: items.sort((one, other) => other.cpu_ms - one.cpu_ms) }
  }

  /** What one tenant cost, by plugin and by hour. */
  async ofTenant(tenantId: number, hours: number) {
    const window = await this.#open(lastHours(hours))
    return presentTenantCost(window, tenantId, await this.#usage.ofTenant(tenantId, window.from))
  }

  /** Figures of a time, with what was counted here until now. */
  async #open(window: MetricsWindow): Promise<MetricsWindow> {
    await this.#parts.flush()
    return window
  }

  #named(tenants: readonly NamedCounts[]) {
    return this.#parts.tenants.named(tenants.map(({ name }) => Number(name)))
  }

  /** This host knows better than it last wrote. */
  async #gauges(pluginId: number, name: string): Promise<readonly HostGauges[]> {
    const { db, hostId, metering } = this.#parts
    const others = (await readGauges(db, pluginId)).filter((gauges) => gauges.hostId !== hostId)
    const own = metering.gauges().find(({ plugin }) => plugin === name)
    if (!own) return others
    const { breaker, heapBytes = null, laneBytes = null } = own
    return [{ hostId, breaker, heapBytes, laneBytes }, ...others]
  }
}
