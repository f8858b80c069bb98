import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { MetricFamily } from '#kernel'

const secondNanoseconds = 1e9
const secondMicroseconds = 1e6
const resolutionMilliseconds = 20

/** The figures of this process itself. */
export class ProcessFigures implements Disposable {
  readonly #eventLoop = monitorEventLoopDelay({ resolution: resolutionMilliseconds })

  constructor() {
    this.#eventLoop.enable()
  }

  [Symbol.dispose](): void {
    this.#eventLoop.disable()
  }

  families(): readonly MetricFamily[] {
    const { user, system } = process.cpuUsage()
    const { rss, heapUsed, external } = process.memoryUsage()
    const delay = (quantile: number) => ({
      labels: { quantile: String(quantile) },
      value: this.#eventLoop.percentile(quantile * 100) / secondNanoseconds,
    })
    const one = (name: string, help: string, type: MetricFamily['type'], value: number): MetricFamily => {
      return { name, help, type, samples: [{ labels: {}, value }] }
    }
    const cpuSeconds = (user + system) / secondMicroseconds
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
