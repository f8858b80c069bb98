import type { CallLimits } from '../wire/call.ts'

interface PluginCount {
  total: number
  readonly tenants: Map<string, number>
}

/** A call that was let in; disposed of when it has ended. */
interface Place extends Disposable {
  /** Enough others were in before it that it may have to wait for its turn in the sandbox host. */
  readonly mayWait: boolean
}

/**
 * Counts the calls of plugins and tenants, and refuses those for which there is no room even in the queue. Calls go to the
 * sandbox host at once, where they take turns: the next one is there when one has ended, and no message is waited for.
 */
export class Admission {
  readonly #plugins = new Map<string, PluginCount>()

  /** A place, or the name of the limit that leaves none. */
  enter(plugin: string, tenant: string, limits: CallLimits): Place | 'queue' | 'concurrency' {
    const { concurrency, tenantConcurrency, queue } = limits
    const count = this.#plugins.get(plugin) ?? { total: 0, tenants: new Map<string, number>() }
    const own = count.tenants.get(tenant) ?? 0
    if (own >= tenantConcurrency + queue) return 'queue'
    if (count.total >= concurrency * (1 + queue)) return 'concurrency'
    this.#plugins.set(plugin, count)
    const mayWait = own >= tenantConcurrency || count.total >= concurrency
    count.total++
    count.tenants.set(tenant, own + 1)
    return { mayWait, [Symbol.dispose]: () => this.#leave(plugin, count, tenant) }
  }

  #leave(plugin: string, count: PluginCount, tenant: string): void {
    const own = (count.tenants.get(tenant) ?? 1) - 1
    if (own > 0) count.tenants.set(tenant, own)
    else count.tenants.delete(tenant)
    if (--count.total === 0) this.#plugins.delete(plugin)
  }
}
