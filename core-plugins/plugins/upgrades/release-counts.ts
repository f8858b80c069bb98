import type { ReleaseWatch } from '#sandbox'

/** What a release's calls on this host came to since they were last taken. */
export interface ReleaseCount {
  readonly plugin: string
  readonly calls: number
  readonly errors: number
  readonly kills: number
}

interface Count {
  calls: number
  errors: number
  kills: number
}

/** Counts the calls of the releases that run here; the release that runs is the only one that is judged. */
export class ReleaseCounts implements ReleaseWatch {
  #counts = new Map<string, Count>()

  called({ name }: { readonly name: string }, sign: 'ok' | 'error' | 'limit'): void {
    const count = this.#of(name)
    count.calls += 1
    if (sign !== 'ok') count.errors += 1
  }

  killed(plugin: string): void {
    this.#of(plugin).kills += 1
  }

  /** What was counted of these plugins since the last time; of others nothing is kept. */
  take(plugins: ReadonlySet<string>): readonly ReleaseCount[] {
    const counts = this.#counts
    this.#counts = new Map()
    return [...counts].flatMap(([plugin, count]) => (plugins.has(plugin) ? { plugin, ...count } : []))
  }

  /** Nothing was counted of a release that has just begun. */
  forget(plugin: string): void {
    this.#counts.delete(plugin)
  }

  #of(plugin: string): Count {
    const count = this.#counts.get(plugin) ?? { calls: 0, errors: 0, kills: 0 }
    this.#counts.set(plugin, count)
    return count
  }
}
