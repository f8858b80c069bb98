import { durationQuantile, measureIndex, type Counts, type Measure } from '#sandbox'

/** What was used, as the interface shows it: milliseconds and bytes are said by the names. */
export function presentUsage({ counts, durations }: Counts) {
  const of = (measure: Measure) => round(counts[measureIndex[measure]] ?? 0)
  return {
    calls: of('calls'),
    errors: {
      plugin: of('pluginErrors'),
      limit: of('limitErrors'),
      upstream: of('upstreamErrors'),
      host: of('hostErrors'),
    },
    refusals: of('refusals'),
    cpu_ms: of('cpuMs'),
    wall_ms: of('wallMs'),
    queue_ms: of('queueMs'),
    p50_ms: quantile(durations, 0.5),
    p95_ms: quantile(durations, 0.95),
    host_calls: of('hostCalls'),
    egress: {
      requests: of('egressRequests'),
      sent_bytes: of('egressSentBytes'),
      received_bytes: of('egressReceivedBytes'),
    },
    storage: {
      operations: of('storageOperations'),
      written_bytes: of('storageWrittenBytes'),
      read_bytes: of('storageReadBytes'),
    },
    database: { statements: of('statements'), ms: of('statementMs'), rows: of('statementRows') },
    events: of('events'),
    log: { lines: of('logLines'), dropped_lines: of('logLinesDropped') },
  }
}

/** The sum of several. */
export function sumOfCounts(all: readonly Counts[]): Counts {
  const add = (sum: readonly number[], next: readonly number[]) =>
    Array.from({ length: Math.max(sum.length, next.length) }, (_, index) => (sum[index] ?? 0) + (next[index] ?? 0))
  return all.reduce<Counts>(
    (sum, { counts, durations }) => ({ counts: add(sum.counts, counts), durations: add(sum.durations, durations) }),
    { counts: [], durations: [] },
  )
}

/** One measure of what was used. */
export function amountOf({ counts }: Counts, measure: Measure): number {
  return round(counts[measureIndex[measure]] ?? 0)
}

function quantile(durations: readonly number[], share: number): number | null {
  const milliseconds = durationQuantile(durations, share)
  return milliseconds === undefined ? null : round(milliseconds)
}

function round(amount: number): number {
  return Math.round(amount * 1000) / 1000
}
