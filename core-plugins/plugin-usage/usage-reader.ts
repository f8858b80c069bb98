import { measureIndex, type AccountKind, type Counts, type Measure } from '#sandbox'
import type { Knex } from 'knex'

const everybody = { tenant: 'all' } as const
const sums = 'plugin_usage_sum(counts) as counts, plugin_usage_sum(durations) as durations'

/** By what plugins are compared. */
export type TopMeasure = 'cpu' | 'calls' | 'errors' | 'egress'

/** Sums with the name of what they are kept for. */
export interface NamedCounts extends Counts {
  readonly name: string
}

/** Sums of one part of a time. */
export interface PartCounts extends Counts {
  readonly part: number
}

/** From which hour on figures are, and before which moment; without an end all that are there. */
interface UsagePeriod {
  readonly from: Date
  readonly to?: Date | undefined
}

/** What one plugin cost. */
export interface PluginSums {
  readonly tenants: readonly NamedCounts[]
  readonly handlers: readonly NamedCounts[]
  readonly hosts: readonly NamedCounts[]
  readonly kills: readonly NamedCounts[]
}

const top: Readonly<Record<TopMeasure, readonly Measure[]>> = {
  cpu: ['cpuMs'],
  calls: ['calls'],
  errors: ['pluginErrors', 'limitErrors', 'upstreamErrors', 'hostErrors'],
  egress: ['egressSentBytes', 'egressReceivedBytes'],
}

/** Reads the sums of all hosts from an hour on. */
export class UsageReader {
  readonly #db: Knex

  constructor(db: Knex) {
    this.#db = db
  }

  /** What a plugin cost in the parts of a time, the first of which is 1; of one tenant, or of all together. */
  series(pluginId: number, edges: readonly Date[], tenantId?: number): Promise<readonly PartCounts[]> {
    const of =
      tenantId === undefined
        ? this.#db('plugin_part_usage').where({ kind: 'handler' })
        : this.#tenantUsage({ from: edges[0]! }, tenantId).where({ tenant_id: tenantId })
    const part = 'width_bucket(hour, ?::timestamptz[])::int as part'
    const times = edges.map((edge) => edge.toISOString())
    const query = of
      .where({ plugin_id: pluginId })
      .where('hour', '>=', edges[0]!)
      .where('hour', '<', edges.at(-1)!)
      .groupBy('part')
      .orderBy('part')
    return Promise.resolve(query.select<PartCounts[]>(this.#db.raw(`${part}, ${sums}`, [times])))
  }

  /** What a plugin cost, by tenant, handler, granted host and reason of kills. */
  async ofPlugin(pluginId: number, period: UsagePeriod): Promise<PluginSums> {
    const tenants = await this.#tenantUsage(period)
      .where({ plugin_id: pluginId })
      .groupBy('tenant_id')
      .orderBy('tenant_id')
      .select<NamedCounts[]>(this.#db.raw(`tenant_id::text as name, ${sums}`))
    const parts = await this.#db('plugin_part_usage')
      .where({ plugin_id: pluginId })
      .where((hours) => within(hours, period))
      .groupBy('kind', 'name')
      .orderBy(['kind', 'name'])
      .select<(NamedCounts & { kind: AccountKind })[]>(this.#db.raw(`kind, name, ${sums}`))
    const of = (kind: AccountKind) => parts.filter((part) => part.kind === kind)
    return { tenants, handlers: of('handler'), hosts: of('host'), kills: of('kill') }
  }

  /** The plugins with the most of something, by name; those without any are not among them. */
  async top(by: TopMeasure, since: Date, limit: number): Promise<readonly NamedCounts[]> {
    // By handler every call is counted once, too, and there are fewer handlers than tenants.
    const terms = top[by].map((measure) => `coalesce(counts[${measureIndex[measure] + 1}], 0)`)
    const most = this.#db('plugin_part_usage')
      .where({ kind: 'handler' })
      .where('hour', '>=', since)
      .groupBy('plugin_id')
      .havingRaw(`sum(${terms.join(' + ')}) > 0`)
      .orderByRaw(`sum(${terms.join(' + ')}) desc, plugin_id`)
      .limit(limit)
      .select('plugin_id', this.#db.raw(`sum(${terms.join(' + ')}) as amount`))
    return this.#db('plugin_part_usage as usage')
      .join(most.as('most'), 'most.plugin_id', 'usage.plugin_id')
      .join('plugins', 'plugins.id', 'usage.plugin_id')
      .where({ kind: 'handler' })
      .where('hour', '>=', since)
      .groupBy('plugins.id', 'most.amount')
      .orderByRaw('most.amount desc, plugins.id')
      .select<NamedCounts[]>(this.#db.raw(`plugins.name, ${sums}`))
  }

  /** What each tenant cost, all plugins together. */
  tenants(since: Date): Promise<readonly NamedCounts[]> {
    const query = this.#tenantUsage({ from: since }).groupBy('tenant_id').orderBy('tenant_id')
    return Promise.resolve(query.select<NamedCounts[]>(this.#db.raw(`tenant_id::text as name, ${sums}`)))
  }

  /** What a tenant cost by plugin, and by hour. */
  async ofTenant(tenantId: number, since: Date) {
    const own = () => this.#tenantUsage({ from: since }, tenantId).where({ tenant_id: tenantId })
    const plugins = await own()
      .join('plugins', 'plugins.id', 'plugin_tenant_usage.plugin_id')
      .groupBy('plugins.name')
      .orderBy('plugins.name')
      .select<NamedCounts[]>(this.#db.raw(`plugins.name, ${sums}`))
    const hours = await own()
      .groupBy('hour')
      .orderBy('hour')
      .select<(Counts & { hour: Date })[]>(this.#db.raw(`hour, ${sums}`))
    return { plugins, hours }
  }

  #tenantUsage(period: UsagePeriod, tenant: number | 'all' = 'all'): Knex.QueryBuilder {
    return this.#db('plugin_tenant_usage')
      .queryContext({ ...everybody, tenant })
      .where((hours) => within(hours, period))
  }
}

function within(hours: Knex.QueryBuilder, { from, to }: UsagePeriod): void {
  void hours.where('hour', '>=', from)
  if (to) void hours.where('hour', '<', to)
}
