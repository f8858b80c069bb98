import type { MetricFamily, MetricSample } from '#kernel'
import {
  durationQuantile,
  measureIndex,
  type AccountKind,
  type Measure,
  type Metering,
  type UsageEntry,
} from '#sandbox'

const secondMilliseconds = 1000
const shownQuantiles = [0.5, 0.95]

type Labels = Readonly<Record<string, string>>

/** A measure as one family shows it, or as one of several samples of it. */
interface Shown {
  readonly name: string
  readonly help: string
  readonly kind: AccountKind
  readonly measures: readonly (readonly [Measure, Labels])[]
  readonly unit?: number
}

/** What an account's name is called as a label. */
const label: Readonly<Record<AccountKind, string>> = {
  tenant: 'tenant',
  handler: 'handler',
  host: 'host',
  kill: 'reason',
}

const shownFigures: readonly Shown[] = [
  shown('calls_total', 'Calls into plugins', 'calls'),
  {
    ...shown('errors_total', 'Calls that failed, by where the cause lies', 'calls'),
    measures: [
      ['pluginErrors', { class: 'plugin' }],
      ['limitErrors', { class: 'limit' }],
      ['upstreamErrors', { class: 'upstream' }],
      ['hostErrors', { class: 'host' }],
    ],
  },
  { ...shown('cpu_seconds_total', 'CPU time of guests', 'cpuMs'), unit: secondMilliseconds },
  { ...shown('wall_seconds_total', 'Time of calls in their turn', 'wallMs'), unit: secondMilliseconds },
  { ...shown('queue_seconds_total', 'Time that calls waited for their turn', 'queueMs'), unit: secondMilliseconds },
  shown('host_calls_total', 'Requests of guests to the platform', 'hostCalls'),
  shown('storage_operations_total', 'Operations on stored objects', 'storageOperations'),
  {
    ...shown('storage_bytes_total', 'Bytes of stored objects', 'calls'),
    measures: [
      ['storageWrittenBytes', { direction: 'written' }],
      ['storageReadBytes', { direction: 'read' }],
    ],
  },
  shown('database_statements_total', 'Statements on own tables', 'statements'),
  { ...shown('database_seconds_total', 'Time of statements', 'statementMs'), unit: secondMilliseconds },
  shown('database_rows_total', 'Rows of statements', 'statementRows'),
  shown('events_total', 'Events published', 'events'),
  shown('log_lines_total', 'Log lines written', 'logLines'),
  shown('log_lines_dropped_total', 'Log lines beyond the limits', 'logLinesDropped'),
  { ...shown('handler_calls_total', 'Calls of a handler', 'calls'), kind: 'handler' },
  { ...shown('egress_requests_total', 'Requests to a granted host', 'egressRequests'), kind: 'host' },
  {
    ...shown('egress_bytes_total', 'Bytes to and from a granted host', 'calls'),
    kind: 'host',
    measures: [
      ['egressSentBytes', { direction: 'sent' }],
      ['egressReceivedBytes', { direction: 'received' }],
    ],
  },
  { ...shown('kills_total', 'Sandbox hosts brought down', 'kills'), kind: 'kill' },
]

/** The figures of plugins in this process. Labels are installed plugins, their tenants, handlers and granted hosts: no guest can add one. */
export function metricFamilies(metering: Metering): readonly MetricFamily[] {
  const totals = metering.totals()
  const handlers = totals.filter(({ kind }) => kind === 'handler')
  return [
    ...shownFigures.map((one) => family(one, totals)),
    gauge('stoa_plugin_handler_duration_seconds', 'Durations of calls of a handler', handlers.flatMap(quantiles)),
    ...pluginGauges(metering),
    ...laneGauges(metering),
  ]
}

function shown(name: string, help: string, measure: Measure): Shown {
  return { name, help, kind: 'tenant', measures: [[measure, {}]] }
}

function family({ name, help, kind, measures, unit = 1 }: Shown, totals: readonly UsageEntry[]): MetricFamily {
  const samples = totals
    .filter((entry) => entry.kind === kind)
    .flatMap(({ plugin, name: account, counts }) =>
      measures.map(([measure, labels]): MetricSample => {
        const value = (counts[measureIndex[measure]] ?? 0) / unit
        return { labels: { plugin, [label[kind]]: account, ...labels }, value }
      }),
    )
  return { name: `stoa_plugin_${name}`, help, type: 'counter', samples }
}

function quantiles({ plugin, name, durations }: UsageEntry): readonly MetricSample[] {
  return shownQuantiles.flatMap((quantile) => {
    const milliseconds = durationQuantile(durations, quantile)
    if (milliseconds === undefined) return []
    const labels = { plugin, handler: name, quantile: String(quantile) }
    return { labels, value: milliseconds / secondMilliseconds }
  })
}

function pluginGauges(metering: Metering): readonly MetricFamily[] {
  const gauges = metering.gauges()
  const sizes = (of: 'heapBytes' | 'laneBytes') =>
    gauges.flatMap(({ plugin, [of]: value }) => (value === undefined ? [] : { labels: { plugin }, value }))
  const breakers = gauges.map(({ plugin, breaker: state }) => ({ labels: { plugin, state }, value: 1 }))
  return [
    gauge('stoa_plugin_isolate_heap_bytes', 'Heap of the isolate of a plugin', sizes('heapBytes')),
    gauge('stoa_plugin_lane_resident_bytes', 'Memory of the sandbox host that a plugin is in', sizes('laneBytes')),
    gauge('stoa_plugin_breaker', 'The state that the breaker of a plugin is in', breakers),
  ]
}

function laneGauges(metering: Metering): readonly MetricFamily[] {
  const { lanes, spares, running, queued, kills } = metering.pool()
  const one = (name: string, help: string, value: number) => gauge(name, help, [{ labels: {}, value }])
  const resident = lanes.map(({ name: lane, rssBytes: value }) => ({ labels: { lane }, value }))
  return [
    one('stoa_sandbox_running_calls', 'Calls that run in sandbox hosts', running),
    one('stoa_sandbox_queued_calls', 'Calls that wait for their turn in sandbox hosts', queued),
    one('stoa_sandbox_spares', 'Warm sandbox hosts that wait for work', spares),
    gauge('stoa_sandbox_lane_resident_bytes', 'Memory of a sandbox host', resident),
    {
      name: 'stoa_sandbox_kills_total',
      help: 'Sandbox hosts that were ended',
      type: 'counter',
      samples: Object.entries(kills).map(([reason, value]) => ({ labels: { reason }, value })),
    },
  ]
}

function gauge(name: string, help: string, samples: readonly MetricSample[]): MetricFamily {
  return { name, help, type: 'gauge', samples }
}
