import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Counter, Gauge, Registry } from 'prom-client'
import type { Logger } from '#kernel'
import type { MetricFamily, ProcessMetrics } from './contract.ts'

const SECOND_NANOSECONDS = 1e9
const SECOND_MICROSECONDS = 1e6
const RESOLUTION_MILLISECONDS = 20

/** The figures of this process and of whoever adds some, in the text format of Prometheus. */
export class MetricsRegistry implements ProcessMetrics, Disposable {
  readonly #log: Logger
  readonly #sources = new Set<() => readonly MetricFamily[]>()
  readonly #eventLoop = monitorEventLoopDelay({ resolution: RESOLUTION_MILLISECONDS })

  constructor(log: Logger) {
    this.#log = log
    this.#eventLoop.enable()
    this.register(() => this.#ofProcess())
  }

  register(source: () => readonly MetricFamily[]): Disposable {
    this.#sources.add(source)
    return { [Symbol.dispose]: () => void this.#sources.delete(source) }
  }

  /** Everything, and the content type that says which version of the format it is. */
  async print(): Promise<{ readonly text: string; readonly contentType: string }> {
    // A registry of its own for every scrape: what is gone since the last one is not shown again.
    const registry = new Registry()
    for (const source of this.#sources) this.#collect(source).forEach((family) => add(registry, family))
    return { text: await registry.metrics(), contentType: registry.contentType }
  }

  [Symbol.dispose](): void {
    this.#eventLoop.disable()
  }

  #collect(source: () => readonly MetricFamily[]): readonly MetricFamily[] {
    try {
      return source()
    } catch (error) {
      this.#log.error({ err: error }, 'a source of metrics failed')
      return []
    }
  }

  #ofProcess(): readonly MetricFamily[] {
    const { user, system } = process.cpuUsage()
    const { rss, heapUsed, external } = process.memoryUsage()
    const delay = (quantile: number) => ({
      labels: { quantile: String(quantile) },
      value: this.#eventLoop.percentile(quantile * 100) / SECOND_NANOSECONDS,
    })
    const one = (name: string, help: string, type: MetricFamily['type'], value: number): MetricFamily => {
      return { name, help, type, samples: [{ labels: {}, value }] }
    }
    const cpuSeconds = (user + system) / SECOND_MICROSECONDS
    const families = [
      one('stoa_process_cpu_seconds_total', 'CPU time of this process', 'counter', cpuSeconds),
      one('stoa_process_resident_memory_bytes', 'Resident memory of this process', 'gauge', rss),
      one('stoa_process_heap_bytes', 'Used heap of this process', 'gauge', heapUsed),
      one('stoa_process_external_bytes', 'Memory outside the heap', 'gauge', external),
      one('stoa_process_uptime_seconds', 'Time since this process started', 'gauge', process.uptime()),
      {
        name: 'stoa_process_event_loop_delay_seconds',
        help: 'How late the event loop was since the last scrape',
        type: 'gauge' as const,
        samples: [delay(0.5), delay(0.99)],
      },
    ]
    this.#eventLoop.reset()
    return families
  }
}

function add(registry: Registry, { name, help, type, samples }: MetricFamily): void {
  const labelNames = [...new Set(samples.flatMap(({ labels }) => Object.keys(labels)))]
  const options = { name, help, labelNames, registers: [registry] }
  if (type === 'counter') {
    const counter = new Counter(options)
    for (const { labels, value } of samples) counter.inc(labels, value)
    return
  }
  const gauge = new Gauge(options)
  for (const { labels, value } of samples) if (Number.isFinite(value)) gauge.set(labels, value)
}
