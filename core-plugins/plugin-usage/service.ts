import type { TextTeller } from '#kernel'
import type { Metering } from '#sandbox'
import type { Knex } from 'knex'
import type { InstalledPlugin } from '../plugins/contract.ts'
import {
  presentMetrics,
  presentPluginUsage,
  presentTenant,
  presentTenantCost,
  presentWindow,
  type MetricsWindow,
} from './present.ts'
import { readFailures, readGauges, type HostGauges } from './failure-reader.ts'
import { hourOf } from './pending-usage.ts'
import { UsageReader, type TopMeasure } from './usage-reader.ts'

const hourMilliseconds = 60 * 60 * 1000

/** What the service stands on. */
interface MetricsServiceParts {
  readonly db: Knex
  readonly hostId: string
  readonly metering: Metering
  readonly teller: TextTeller
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
  async ofPlugin({ id, name }: InstalledPlugin, hours: number, locale: string) {
    const window = await this.#open(hours)
    const sums = await this.#usage.ofPlugin(id, window.from)
    const failures = await readFailures(this.#parts.db, id)
    const reader = { teller: this.#parts.teller, locale }
    return presentMetrics(window, sums, { gauges: await this.#gauges(id, name), failures, reader })
  }

  /** The plugins with the most of something. */
  async top(by: TopMeasure, hours: number, limit: number) {
    const window = await this.#open(hours)
    const items = await this.#usage.top(by, window.from, limit)
    return { by, window: presentWindow(window), items: items.map(presentPluginUsage) }
  }

  /** What each tenant cost, the dearest first. */
  async tenants(hours: number) {
    const window = await this.#open(hours)
    const items = (await this.#usage.tenants(window.from)).map(presentTenant)
    return { window: presentWindow(window), items: items.sort((one, other) => other.cpu_ms - one.cpu_ms) }
  }

  /** What one tenant cost, by plugin and by hour. */
  async ofTenant(tenantId: number, hours: number) {
    const window = await this.#open(hours)
    return presentTenantCost(window, tenantId, await this.#usage.ofTenant(tenantId, window.from))
  }

  async #open(hours: number): Promise<MetricsWindow> {
    await this.#parts.flush()
    const now = Date.now()
    return { from: hourOf(now - hours * hourMilliseconds), to: new Date(now), hours }
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
