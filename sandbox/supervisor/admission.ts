/** How many calls may run and wait. */
export interface AdmissionLimits {
  readonly perPlugin: number
  readonly perTenant: number
  /** Calls of one tenant to one plugin that may wait. */
  readonly queue: number
}

interface Waiter {
  readonly admit: (place: Disposable) => void
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
export class Admission {
  readonly #limits: AdmissionLimits
  readonly #plugins = new Map<string, PluginLine>()
  running = 0
  queued = 0

  constructor(limits: AdmissionLimits) {
    this.#limits = limits
  }

  /** A place to run in, to be disposed of afterwards; or the name of the limit, when the line is too long or too slow. */
  enter(plugin: string, tenant: string, patienceMs: number): Promise<Disposable | 'queue' | 'concurrency'> {
    const line = this.#plugins.get(plugin) ?? { running: 0, waiting: 0, tenants: new Map<string, TenantLine>() }
    const own = line.tenants.get(tenant) ?? { running: 0, waiting: new Set<Waiter>() }
    this.#plugins.set(plugin, line)
    line.tenants.set(tenant, own)
    const { perPlugin, queue } = this.#limits
    if (own.waiting.size === 0 && this.#hasRoom(line, own)) return Promise.resolve(this.#admit(plugin, tenant))
    if (own.waiting.size >= queue) return Promise.resolve('queue')
    if (line.waiting >= queue * perPlugin) return Promise.resolve('concurrency')
    return new Promise((resolve) => {
      const giveUp = (): void => {
        this.#leaveQueue(line, own, waiter)
        this.#tidy(plugin, tenant)
        resolve('queue')
      }
      const waiter: Waiter = { admit: resolve, timer: setTimeout(giveUp, patienceMs) }
      own.waiting.add(waiter)
      line.waiting++
      this.queued++
    })
  }

  #hasRoom(line: PluginLine, own: TenantLine): boolean {
    return line.running < this.#limits.perPlugin && own.running < this.#limits.perTenant
  }

  #admit(plugin: string, tenant: string): Disposable {
    const count = (by: number): void => {
      const line = this.#plugins.get(plugin)
      const own = line?.tenants.get(tenant)
      if (!line || !own) return
      line.running += by
      own.running += by
      this.running += by
    }
    count(1)
    return {
      [Symbol.dispose]: () => {
        count(-1)
        this.#next(plugin)
        this.#tidy(plugin, tenant)
      },
    }
  }

  /** Gives the free place to the first tenant that waits and may run, and puts it behind the others. */
  #next(plugin: string): void {
    const line = this.#plugins.get(plugin)
    if (!line || line.waiting === 0) return
    for (const [tenant, own] of line.tenants) {
      const [waiter] = own.waiting
      if (!waiter || !this.#hasRoom(line, own)) continue
      line.tenants.delete(tenant)
      line.tenants.set(tenant, own)
      this.#leaveQueue(line, own, waiter)
      waiter.admit(this.#admit(plugin, tenant))
      return
    }
  }

  #leaveQueue(line: PluginLine, own: TenantLine, waiter: Waiter): void {
    clearTimeout(waiter.timer)
    own.waiting.delete(waiter)
    line.waiting--
    this.queued--
  }

  #tidy(plugin: string, tenant: string): void {
    const line = this.#plugins.get(plugin)
    const own = line?.tenants.get(tenant)
    if (own?.running === 0 && own.waiting.size === 0) line?.tenants.delete(tenant)
    if (line?.tenants.size === 0) this.#plugins.delete(plugin)
  }
}
