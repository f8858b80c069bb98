import type { PluginFailure, RecentFailure } from './metering.ts'

const kept = 20

/** The latest failures of every plugin that nobody has taken yet, for whoever looks for their cause. */
export class RecentFailures {
  readonly #failures = new Map<string, RecentFailure[]>()

  /** Only the latest count: a plugin that does nothing but fail must not fill the memory. */
  add(plugin: string, failure: RecentFailure): void {
    const known = this.#failures.get(plugin) ?? []
    known.push(failure)
    if (known.length > kept) known.shift()
    this.#failures.set(plugin, known)
  }

  /** Those since the last time, at most 20 of each plugin, oldest first. */
  take(): readonly PluginFailure[] {
    const taken = [...this.#failures].flatMap(([plugin, failures]) => failures.map((one) => ({ plugin, ...one })))
    this.#failures.clear()
    return taken
  }

  /** Forgets a plugin that is no longer installed. */
  forget(plugin: string): void {
    this.#failures.delete(plugin)
  }

  /** Forgets what happened to a tenant that is gone. */
  forgetTenant(tenantId: number): void {
    for (const [plugin, known] of this.#failures) {
      this.#failures.set(
        plugin,
        known.filter((failure) => failure.tenantId !== tenantId),
      )
    }
  }
}
