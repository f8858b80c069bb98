import type { TextTeller } from '#kernel'
import type { Counts } from '#sandbox'
import type { NamedTenant } from '../tenants/contract.ts'
import type { FailureRow, HostGauges } from './failure-reader.ts'
import { amountOf, presentUsage, sumOfCounts } from './present-usage.ts'
import type { MetricsWindow } from './metrics-window.ts'
import type { NamedCounts, PartCounts, PluginSums } from './usage-reader.ts'

/** Who reads, and who tells it in the own language. */
interface Reader {
  readonly teller: TextTeller
  readonly locale: string
}

/** The parts of a time, and the sums of those in which something was done. */
interface Series {
  readonly edges: readonly Date[]
  readonly parts: readonly PartCounts[]
}

type Names = ReadonlyMap<number, NamedTenant>

/** What a plugin did and cost on all hosts, as administrators see it; the dearest tenant first. */
export function presentMetrics(
  window: MetricsWindow,
  { tenants, handlers, hosts, kills, series, names }: PluginSums & { readonly series: Series; readonly names: Names },
  more: { readonly gauges: readonly HostGauges[]; readonly failures: readonly FailureRow[]; readonly reader: Reader },
) {
  return {
    window: presentWindow(window),
    totals: presentUsage(sumOfCounts(handlers)),
    series: presentSeries(series),
    tenants: tenants.map((tenant) => presentTenant(tenant, names)).sort((one, other) => other.cpu_ms - one.cpu_ms),
    handlers: handlers.map(({ name, ...counts }) => ({ handler: name, ...presentUsage(counts) })),
    egress_hosts: hosts.map(({ name, ...counts }) => ({ host: name, ...presentUsage(counts).egress })),
    kills: Object.fromEntries(kills.map(({ name, ...counts }) => [name, amountOf(counts, 'kills')])),
    breaker: worstOf(more.gauges),
    hosts: more.gauges.map(({ hostId, breaker, heapBytes, laneBytes }) => {
      return { host_id: hostId, breaker, isolate_heap_bytes: heapBytes, lane_rss_bytes: laneBytes }
    }),
    recent_failures: more.failures.map((failure) => presentFailure(failure, more.reader)),
  }
}

/** A tenant with what it cost. */
export function presentTenant({ name, ...counts }: NamedCounts, names: Names) {
  const id = Number(name)
  return { tenant_id: id, tenant: names.get(id) ?? null, ...presentUsage(counts) }
}

/** What a plugin did and cost for one tenant, all in all and over time. */
export function presentOwnMetrics(window: MetricsWindow, series: Series) {
  const totals = presentUsage(sumOfCounts(series.parts))
  return { window: presentWindow(window), totals, series: presentSeries(series) }
}

function presentSeries({ edges, parts }: Series) {
  const byPart = new Map(parts.map(({ part, ...counts }) => [part, counts]))
  return edges.slice(0, -1).map((from, at) => {
    const counts = byPart.get(at + 1) ?? { counts: [], durations: [] }
    return { from: from.toISOString(), to: edges[at + 1]!.toISOString(), ...presentUsage(counts) }
  })
}

/** A plugin with what it cost. */
export function presentPluginUsage({ name, ...counts }: NamedCounts) {
  return { plugin: name, ...presentUsage(counts) }
}

/** What a tenant cost: all in all, by plugin and over time. */
export function presentTenantCost(
  window: MetricsWindow,
  tenantId: number,
  {
    plugins,
    hours,
  }: { readonly plugins: readonly NamedCounts[]; readonly hours: readonly (Counts & { hour: Date })[] },
) {
  return {
    tenant_id: tenantId,
    window: presentWindow(window),
    totals: presentUsage(sumOfCounts(hours)),
    plugins: plugins.map(presentPluginUsage).sort((one, other) => other.cpu_ms - one.cpu_ms),
    hours: hours.map(({ hour, ...counts }) => ({ hour: hour.toISOString(), ...presentUsage(counts) })),
  }
}

/** The hours that figures are of. */
export function presentWindow({ from, to, hours }: MetricsWindow) {
  return { from: from.toISOString(), to: to.toISOString(), hours }
}

function presentFailure(row: FailureRow, { teller, locale }: Reader) {
  const { at, tenantId, hostId, target, code, reason, traceId, stack } = row
  return {
    at: at.toISOString(),
    tenant_id: tenantId,
    host_id: hostId,
    target,
    code,
    reason,
    message: teller.tellKept(row.message, row.messageSaid, locale),
    trace_id: traceId,
    stack,
  }
}

/** Every host has a breaker of its own: what is shown first is the one that lets the least through. */
function worstOf(gauges: readonly HostGauges[]): HostGauges['breaker'] {
  const order = ['quarantined', 'open', 'half_open'] as const
  return order.find((state) => gauges.some(({ breaker }) => breaker === state)) ?? 'closed'
}
