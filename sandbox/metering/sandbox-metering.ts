import { sayError, shortenSaid, type Said } from '#kernel'
import { toldOf } from '../tell-limit.ts'
import { outcomeError } from '../wire/outcome-error.ts'
import type { PluginHealth } from '../health/plugin-health.ts'
import { RecentFailures } from './recent-failures.ts'
import type { Failure, PoolStats, SandboxPool } from '../wire/call.ts'
import type { Meter } from './meter.ts'
import { errorClass } from './call-meter.ts'
import type { Metering, PluginFailure, PluginGauges, RecentFailure, UsageEntry } from './metering.ts'

const maxMessage = 1_000
const maxStack = 4_000

/** What the metering of a sandbox stands on. */
interface SandboxMeteringParts {
  readonly meter: Meter
  readonly pool: SandboxPool
  readonly health: PluginHealth
}

/** Keeps what this process knows of the cost and the failures of plugins. */
export class SandboxMetering implements Metering {
  readonly #parts: SandboxMeteringParts
  readonly #failures = new RecentFailures()

  constructor(parts: SandboxMeteringParts) {
    this.#parts = parts
  }

  /** Remembers a failure; what a plugin answered its caller on purpose is none. */
  remember(plugin: string, failure: Failure, call: Pick<RecentFailure, 'tenantId' | 'target' | 'traceId'>): void {
    if (errorClass(failure) === undefined) return
    const error = outcomeError(plugin, failure)
    const { code, reason } = error
    const stack = stackOf(failure)?.slice(0, maxStack)
    const message = shortenSaid(saidBy(failure) ?? sayError(error), maxMessage)
    this.#failures.add(plugin, { at: new Date(), ...call, code, reason, message, stack })
  }

  totals(): readonly UsageEntry[] {
    return this.#parts.meter.totals()
  }

  takeChanges(): readonly UsageEntry[] {
    return this.#parts.meter.takeChanges()
  }

  takeFailures(): readonly PluginFailure[] {
    return this.#failures.take()
  }

  gauges(): readonly PluginGauges[] {
    const { meter, pool, health } = this.#parts
    const { lanes } = pool.stats()
    return meter.plugins.map((plugin) => {
      const lane = lanes.find(({ plugins }) => plugins.has(plugin))
      const [heapBytes, laneBytes] = [lane?.plugins.get(plugin), lane?.rssBytes]
      return { plugin, breaker: health.state(plugin), heapBytes, laneBytes }
    })
  }

  pool(): PoolStats {
    return this.#parts.pool.stats()
  }

  /** Forgets a plugin that is no longer installed. */
  forget(plugin: string): void {
    this.#parts.meter.forget(plugin)
    this.#failures.forget(plugin)
  }

  forgetTenant(tenantId: number): void {
    this.#parts.meter.forgetTenant(tenantId)
    this.#failures.forgetTenant(tenantId)
  }
}

/** What the plugin itself, or its engine, says of a failure; of a limit, what its author is told. */
function saidBy(failure: Failure): Said | undefined {
  if (failure.kind === 'threw') return { words: failure.error.message }
  return failure.kind === 'load' || failure.kind === 'invalid' ? { words: failure.message } : toldOf(failure)
}

function stackOf(failure: Failure): string | undefined {
  if (failure.kind === 'threw') return failure.error.stack
  return failure.kind === 'load' || failure.kind === 'limit' ? failure.stack : undefined
}
