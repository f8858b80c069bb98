import type { Outcome } from './call.ts'

/** Where a failed call's cause lies: the plugin's code, a bound, something it asked for, or us. */
export type ErrorClass = 'plugin' | 'limit' | 'upstream' | 'host'

/** What one plugin cost in one tenant since the process started. */
export interface Usage {
  readonly calls: number
  readonly errors: Readonly<Record<ErrorClass, number>>
  readonly cpuMs: number
  readonly wallMs: number
  readonly hostCalls: number
}

/** One row of the meter. */
export interface MeteredUsage extends Usage {
  readonly plugin: string
  readonly tenant: string
}

type Counter = { -readonly [K in keyof Usage]: K extends 'errors' ? Record<ErrorClass, number> : Usage[K] }

/** Counts what plugins cost, by tenant, and how often each brought a sandbox host down. */
export class Meter {
  readonly #counters = new Map<string, Map<string, Counter>>()
  readonly #kills = new Map<string, Map<string, number>>()

  record(plugin: string, tenant: string, outcome: Outcome): void {
    const counter = this.#counterOf(plugin, tenant)
    counter.calls++
    counter.cpuMs += outcome.cpuMs
    counter.wallMs += outcome.wallMs
    counter.hostCalls += outcome.hostCalls
    if (!outcome.ok) counter.errors[classify(outcome)]++
  }

  recordKill(plugin: string, reason: string): void {
    const kills = this.#kills.get(plugin) ?? new Map<string, number>()
    kills.set(reason, (kills.get(reason) ?? 0) + 1)
    this.#kills.set(plugin, kills)
  }

  /** Every plugin and tenant that was called. */
  usage(): readonly MeteredUsage[] {
    return [...this.#counters].flatMap(([plugin, tenants]) =>
      [...tenants].map(([tenant, counter]) => ({ plugin, tenant, ...counter, errors: { ...counter.errors } })),
    )
  }

  /** Kills by reason. */
  kills(plugin: string): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#kills.get(plugin) ?? [])
  }

  /** Forgets a plugin that is no longer installed, so that the counters stay as few as the plugins. */
  forget(plugin: string): void {
    this.#counters.delete(plugin)
    this.#kills.delete(plugin)
  }

  #counterOf(plugin: string, tenant: string): Counter {
    const tenants = this.#counters.get(plugin) ?? new Map<string, Counter>()
    this.#counters.set(plugin, tenants)
    const counter = tenants.get(tenant) ?? {
      calls: 0,
      errors: { plugin: 0, limit: 0, upstream: 0, host: 0 },
      cpuMs: 0,
      wallMs: 0,
      hostCalls: 0,
    }
    tenants.set(tenant, counter)
    return counter
  }
}

/** A PluginError about something upstream is not the plugin's own fault; one about its caller's input is an answer. */
function classify(outcome: Extract<Outcome, { ok: false }>): ErrorClass {
  if (outcome.kind === 'limit' || outcome.kind === 'timeout') return 'limit'
  if (outcome.kind === 'killed') return 'host'
  return outcome.kind === 'threw' && outcome.error.code === 'upstream' ? 'upstream' : 'plugin'
}
