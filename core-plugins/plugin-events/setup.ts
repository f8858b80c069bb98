import { pluginEnabled, type Scope } from '#kernel'
import { Deliverer } from './deliverer.ts'
import { EventQueue } from './event-queue.ts'
import { bridgeKernelEvents } from './kernel-events.ts'
import type { PluginEventsNeeds } from './needs.ts'
import { Publisher } from './publisher.ts'
import { eventRoutes } from './routes.ts'
import { eventRows } from './rows.ts'
import { DeadEvents } from './service.ts'

const CHANNEL = 'plugin-events'
/** Several times in a lease. */
const RENEW_MILLISECONDS = 5_000
/** Lost words are made up for so often. */
const LOOK_MILLISECONDS = 5_000
const SWEEP_MILLISECONDS = 60 * 60 * 1000

/** Starts publishing and delivering. */
export function setupPluginEvents(scope: Scope, needs: PluginEventsNeeds): void {
  const { db, log, bus } = scope
  const { runtime, resolver: tenants, audit, directory, keepers } = needs
  const queue = new EventQueue(db)
  const deliverer = scope.use(new Deliverer({ queue, runtime, tenants, log }))
  const wake = () => deliverer.wake()
  const onQueued = () => {
    wake()
    // Other hosts may be less busy.
    bus.publish(CHANNEL, {}).catch((error: unknown) => log.debug({ err: error }, 'no word of an event'))
  }
  const publisher = new Publisher({ db, queue, log, onQueued })
  scope.use(runtime.takeEvents((event) => publisher.publish(event)))
  scope.use(bus.subscribe(CHANNEL, wake))
  // What waited for a plugin that runs here from now on.
  scope.on(pluginEnabled, wake)
  scope.every(RENEW_MILLISECONDS, () => deliverer.renew())
  scope.every(LOOK_MILLISECONDS, wake)
  scope.every(SWEEP_MILLISECONDS, () => queue.sweep())
  bridgeKernelEvents(scope, (trx, event) => publisher.publishWithin(trx, event), onQueued)
  scope.use(keepers.register(eventRows(db)))
  scope.route(...eventRoutes(directory, new DeadEvents({ db, audit, onQueued })))
}
