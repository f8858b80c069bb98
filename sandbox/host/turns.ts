/** How many calls may run and wait. */
interface TurnLimits {
  /** Of a plugin, all tenants together. */
  readonly concurrency: number
  readonly tenantConcurrency: number
}

interface Waiter {
  readonly limits: TurnLimits
  readonly begin: (turn: Disposable) => void
  readonly timer: NodeJS.Timeout
}

interface TenantLine {
  running: number
  readonly waiting: Set<Waiter>
}

interface PluginLine {
  running: number
  waiting: number
  /** The tenant that has waited longest for its turn comes first. */
  readonly tenants: Map<string, TenantLine>
}

/** Lets calls run up to the limits of their plugin and tenant; the others wait, and tenants take turns. */
export class Turns {
  readonly #plugins = new Map<string, PluginLine>()

  /** A turn, to be disposed of when the call has ended; nothing, when the wait was longer than the patience. */
  take(
    plugin: string,
    tenant: string,
    limits: TurnLimits,
    patienceMs: number,
  ): Disposable | Promise<Disposable | undefined> {
    const line = this.#plugins.get(plugin) ?? { running: 0, waiting: 0, tenants: new Map<string, TenantLine>() }
    const own = line.tenants.get(tenant) ?? { running: 0, waiting: new Set<Waiter>() }
    this.#plugins.set(plugin, line)
    line.tenants.set(tenant, own)
    if (own.waiting.size === 0 && hasRoom(line, own, limits)) return this.#begin(plugin, tenant)
    return new Promise((resolve) => {
      const giveUp = (): void => {
        leaveQueue(line, own, waiter)
        this.#tidy(plugin, tenant)
        resolve(undefined)
      }
      const waiter: Waiter = { limits, begin: resolve, timer: setTimeout(giveUp, patienceMs) }
      own.waiting.add(waiter)
      line.waiting++
    })
  }

  #begin(plugin: string, tenant: string): Disposable {
    const line = this.#plugins.get(plugin)
    const own = line?.tenants.get(tenant)
    if (!line || !own) throw new Error('a turn begins in a line that is gone')
    line.running++
    own.running++
    return {
      [Symbol.dispose]: () => {
        line.running--
        own.running--
        this.#next(plugin, line)
        this.#tidy(plugin, tenant)
      },
    }
  }

  /** Gives the free place to the first tenant that waits and may run, and puts it behind the others. */
  #next(plugin: string, line: PluginLine): void {
    if (line.waiting === 0) return
    for (const [tenant, own] of line.tenants) {
      const [waiter] = own.waiting
      if (!waiter || !hasRoom(line, own, waiter.limits)) continue
      line.tenants.delete(tenant)
      line.tenants.set(tenant, own)
      leaveQueue(line, own, waiter)
      waiter.begin(this.#begin(plugin, tenant))
      return
    }
  }

  #tidy(plugin: string, tenant: string): void {
    const line = this.#plugins.get(plugin)
    const own = line?.tenants.get(tenant)
    if (own?.running === 0 && own.waiting.size === 0) line?.tenants.delete(tenant)
    if (line?.tenants.size === 0) this.#plugins.delete(plugin)
  }
}

function hasRoom(line: PluginLine, own: TenantLine, { concurrency, tenantConcurrency }: TurnLimits): boolean {
  return line.running < concurrency && own.running < tenantConcurrency
}

function leaveQueue(line: PluginLine, own: TenantLine, waiter: Waiter): void {
  clearTimeout(waiter.timer)
  own.waiting.delete(waiter)
  line.waiting--
}
