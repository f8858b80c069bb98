import type { RecentFailure } from './services.ts'

const KEPT = 20

/** The latest failures of every plugin, for whoever looks for their cause. */
export class RecentFailures {
  readonly #failures = new Map<string, RecentFailure[]>()

  add(plugin: string, failure: RecentFailure): void {
    const known = this.#failures.get(plugin) ?? []
    known.unshift(failure)
    known.length = Math.min(known.length, KEPT)
    this.#failures.set(plugin, known)
  }

  /** Newest first. */
  list(plugin: string): readonly RecentFailure[] {
    return [...(this.#failures.get(plugin) ?? [])]
  }

  forget(plugin: string): void {
    this.#failures.delete(plugin)
  }
}
