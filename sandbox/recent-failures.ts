import type { PluginFailure, RecentFailure } from './metering/metering.ts'

const KEPT = 20

/** The latest failures of every plugin, for whoever looks for their cause. */
export class RecentFailures {
  readonly #failures = new Map<string, RecentFailure[]>()
  /** Those that were not taken yet. */
  #fresh: PluginFailure[] = []

  add(plugin: string, failure: RecentFailure): void {
    const known = this.#failures.get(plugin) ?? []
    known.unshift(failure)
    known.length = Math.min(known.length, KEPT)
    this.#failures.set(plugin, known)
    this.#fresh.push({ plugin, ...failure })
    // Only the latest count; a plugin that does nothing but fail must not fill the memory.
    const own = this.#fresh.filter((other) => other.plugin === plugin)
    if (own.length > KEPT) this.#fresh.splice(this.#fresh.indexOf(own[0] as PluginFailure), 1)
  }

  /** Newest first. */
  list(plugin: string): readonly RecentFailure[] {
    return [...(this.#failures.get(plugin) ?? [])]
  }

  /** Those since the last time, oldest first. */
  take(): readonly PluginFailure[] {
    const taken = this.#fresh
    this.#fresh = []
    return taken
  }

  forget(plugin: string): void {
    this.#failures.delete(plugin)
    this.#fresh = this.#fresh.filter((failure) => failure.plugin !== plugin)
  }

  /** Forgets what happened to a tenant that is gone. */
  forgetTenant(tenantId: number): void {
    for (const [plugin, known] of this.#failures) {
      this.#failures.set(
        plugin,
        known.filter((failure) => failure.tenantId !== tenantId),
      )
    }
    this.#fresh = this.#fresh.filter((failure) => failure.tenantId !== tenantId)
  }
}
