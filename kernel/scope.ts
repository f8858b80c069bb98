import type { ChangeFeed } from './data/change-feed.ts'
import type { Database } from './data/database.ts'
import type { SecretBox } from './data/secret-box.ts'
import type { Store } from './data/store.ts'
import type { Environment } from './env.ts'
import type { EventHub } from './event.ts'
import type { Route } from './http/route.ts'
import type { RouteTable } from './http/router.ts'
import type { SocketTable } from './http/sockets/socket-table.ts'
import type { Logger } from './log.ts'
import { OutageLog } from './outage-log.ts'
import type { Plugin, Scope } from './plugin.ts'
import { foreignEvent } from './programming-errors.ts'
import type { Registrations } from './registrations.ts'
import type { ServiceTable } from './service.ts'

/** What of the kernel a scope hands on. */
export interface ScopeParts {
  readonly hostId: string
  readonly env: Environment
  readonly log: Logger
  readonly database: Database
  readonly store: Store
  readonly changes: ChangeFeed
  readonly secrets: SecretBox
  readonly services: ServiceTable
  readonly events: EventHub
  readonly routes: RouteTable
  readonly sockets: SocketTable
  readonly timers: Set<Disposable>
}

/** A plugin's scope; the routes of its setup open together, once setup has ended. */
export function createScope(
  plugin: Plugin,
  kernel: ScopeParts,
  resources: AsyncDisposableStack,
  registrations: Registrations,
): Scope & { openRoutes(): void } {
  const log = kernel.log.child({ plugin: plugin.name })
  let waiting: Route[] | undefined = []

  function openRoutes(): void {
    const routes = waiting ?? []
    waiting = undefined
    if (routes.length > 0) registrations.add(() => kernel.routes.register(plugin, routes))
  }

  return {
    plugin: plugin.name,
    hostId: kernel.hostId,
    db: kernel.database.knex,
    cache: kernel.store.cache.withPrefix(`${plugin.name}:`),
    changes: kernel.changes,
    limiter: kernel.store.limiter,
    windows: kernel.store.windows,
    locks: kernel.store.locks,
    bus: kernel.store.bus,
    eventLog: kernel.store.eventLog,
    secrets: kernel.secrets,
    env: kernel.env,
    log,
    openRoutes,
    route(...routes) {
      if (waiting) waiting.push(...routes)
      else registrations.add(() => kernel.routes.register(plugin, routes))
    },
    sockets(...routes) {
      registrations.add(() => kernel.sockets.register(plugin.name, routes))
    },
    provide(ref, implementation) {
      registrations.add(() => kernel.services.provide(plugin.name, ref, implementation))
    },
    on(event, listener, reach) {
      registrations.add(() => kernel.events.on(event, listener, reach))
    },
    onChanges(kind, listener) {
      registrations.add(() => kernel.changes.on(kind, listener))
    },
    async emit(event, payload) {
      if (!event.id.startsWith(`${plugin.name}.`)) throw foreignEvent(event.id, plugin.name)
      return kernel.events.emit(event, payload)
    },
    onWithin(event, witness) {
      registrations.add(() => kernel.events.onWithin(event, witness))
    },
    async emitWithin(trx, event, payload) {
      if (!event.id.startsWith(`${plugin.name}.`)) throw foreignEvent(event.id, plugin.name)
      await kernel.events.emitWithin(trx, event, payload)
    },
    every(milliseconds, work) {
      resources.use(repeat(milliseconds, work, kernel.timers, log))
    },
    register: (register) => registrations.add(register),
    use: (resource) => resources.use(resource),
    defer: (cleanup) => resources.defer(cleanup),
  }
}

/** Runs work again and again, each time after the last has ended; disposing waits for the one in progress. */
function repeat(
  milliseconds: number,
  work: () => void | Promise<void>,
  timers: Set<Disposable>,
  log: Logger,
): AsyncDisposable {
  let running: Promise<void> = Promise.resolve()
  let busy = false
  const outage = new OutageLog(log, 'repeated work failed')
  const timer = setInterval(() => {
    if (busy) return
    busy = true
    running = run()
  }, milliseconds).unref()
  timers.add(timer)

  async function run(): Promise<void> {
    await outage.watch(work)
    busy = false
  }

  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      timers.delete(timer)
      await running
    },
  }
}
