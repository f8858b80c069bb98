import type { PluginFailure, UsageEntry } from '#sandbox'

const hourMilliseconds = 60 * 60 * 1000
const failuresKept = 20

/** What one account gained within one hour. */
export interface HourlyUsage extends UsageEntry {
  /** Its beginning, as ISO text. */
  readonly hour: string
}

/** What was counted in this process and is not in the database yet. */
export class PendingUsage {
  #usage = new Map<string, HourlyUsage>()
  #failures: readonly PluginFailure[] = []

  /** Adds to what waits. */
  add(usage: readonly HourlyUsage[], failures: readonly PluginFailure[]): void {
    for (const entry of usage) {
      const key = JSON.stringify([entry.plugin, entry.kind, entry.name, entry.hour])
      const known = this.#usage.get(key)
      this.#usage.set(key, known ? sumOf(known, entry) : entry)
    }
    // While nothing can be written only the latest are kept.
    this.#failures = keepLatest([...this.#failures, ...failures])
  }

  /** All that waits; from now on it is the taker's. */
  take(): { readonly usage: readonly HourlyUsage[]; readonly failures: readonly PluginFailure[] } {
    const taken = { usage: [...this.#usage.values()], failures: this.#failures }
    this.#usage = new Map()
    this.#failures = []
    return taken
  }

  /** Forgets a tenant that is gone. */
  forgetTenant(tenantId: number): void {
    for (const [key, { kind, name }] of this.#usage) {
      if (kind === 'tenant' && name === String(tenantId)) this.#usage.delete(key)
    }
    this.#failures = this.#failures.filter((failure) => failure.tenantId !== tenantId)
  }
}

/** The beginning of the hour that a moment lies in. */
export function hourOf(moment: number): Date {
  return new Date(Math.floor(moment / hourMilliseconds) * hourMilliseconds)
}

function sumOf(one: HourlyUsage, other: HourlyUsage): HourlyUsage {
  const add = (left: readonly number[], right: readonly number[]) =>
    left.map((count, index) => count + (right[index] ?? 0))
  return { ...one, counts: add(one.counts, other.counts), durations: add(one.durations, other.durations) }
}

function keepLatest(failures: readonly PluginFailure[]): readonly PluginFailure[] {
  const counts = new Map<string, number>()
  const kept = failures.toReversed().filter(({ plugin }) => {
    const count = (counts.get(plugin) ?? 0) + 1
    counts.set(plugin, count)
    return count <= failuresKept
  })
  return kept.toReversed()
}
