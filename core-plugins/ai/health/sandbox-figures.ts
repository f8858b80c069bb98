import type { ProcessMetrics } from '#kernel'

const hourMs = 3_600_000

/** How the sandbox of this host is. */
export class SandboxFigures {
  readonly #metrics: Pick<ProcessMetrics, 'collect'>
  #kills: readonly { readonly at: number; readonly count: number }[] = []

  constructor(metrics: Pick<ProcessMetrics, 'collect'>) {
    this.#metrics = metrics
  }

  /** Remembers how often hosts of it were ended up to now; to be called each minute. */
  note(now = Date.now()): void {
    const old = this.#kills.findLastIndex(({ at }) => at <= now - hourMs)
    this.#kills = [...this.#kills.slice(Math.max(0, old)), { at: now, count: this.#sum('stoa_sandbox_kills_total') }]
  }

  read() {
    const kills = this.#sum('stoa_sandbox_kills_total')
    return {
      isolates: this.#samples('stoa_plugin_isolate_heap_bytes').length,
      queue: this.#sum('stoa_sandbox_queued_calls'),
      // Since the start of a host that is younger.
      killed_1h: kills - (this.#kills[0]?.count ?? 0),
    }
  }

  #sum(name: string): number {
    return this.#samples(name).reduce((sum, { value }) => sum + value, 0)
  }

  #samples(name: string) {
    return this.#metrics.collect().find((family) => family.name === name)?.samples ?? []
  }
}
