import type { Logger } from './log.ts'
import { defineService } from './service.ts'

/** One figure with the labels that tell it from the others of its family. */
export interface MetricSample {
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/** Figures of one kind, as Prometheus has them: a counter only grows, a gauge goes up and down. */
export interface MetricFamily {
  /** Begins with `stoa_`, ends in its unit; that of a counter in `_total`. */
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge'
  readonly samples: readonly MetricSample[]
}

/** Collects the figures of this process; who prints them is another matter. */
export interface ProcessMetrics {
  /** Asks the source at every scrape, until disposed; what it throws leaves its figures out. */
  register(source: () => readonly MetricFamily[]): Disposable
  /** The figures of every source at this moment. */
  collect(): readonly MetricFamily[]
}

/** Collects the figures of this process; who prints them is another matter. */
export const processMetrics = defineService<ProcessMetrics>('kernel.metrics')

/** Who has figures, in the order in which they came. */
export class MetricSources implements ProcessMetrics {
  readonly #log: Logger
  readonly #sources = new Set<() => readonly MetricFamily[]>()

  constructor(log: Logger) {
    this.#log = log
  }

  register(source: () => readonly MetricFamily[]): Disposable {
    this.#sources.add(source)
    return { [Symbol.dispose]: () => void this.#sources.delete(source) }
  }

  collect(): readonly MetricFamily[] {
    return [...this.#sources].flatMap((source) => {
      try {
        return source()
      } catch (error) {
        this.#log.error({ err: error }, 'a source of metrics failed')
        return []
      }
    })
  }
}
