import { pluginEnabled, type Scope } from '#kernel'
import { pluginsLicenseChanged } from '../plugins/contract.ts'
import { pluginEventsPublished } from './contract.ts'
import { Deliverer } from './deliverer.ts'
import { EventJobs } from './event-jobs.ts'
import { EventQueue } from './event-queue.ts'
import { bridgeKernelEvents } from './kernel-events.ts'
import type { PluginEventsNeeds } from './needs.ts'
import { Publisher } from './publisher.ts'
import { eventRoutes } from './routes.ts'
import { eventRows } from './rows.ts'
import { DeadEvents } from './service.ts'

const sweepMilliseconds = 60 * 60 * 1000

/** Starts publishing and delivering. */
export function setupPluginEvents(scope: Scope, needs: PluginEventsNeeds): void {
  const { db, log } = scope
  const { runtime, resolver: tenants, audit, directory, keepers } = needs
  const queue = new EventQueue(db)
  const jobs = new EventJobs(db, needs.jobs)
  const publisher = new Publisher({ db, queue, jobs, log })
  scope.use(
    runtime.takeEvents(async (event) => {
      const { plugin, tenantId, type, payload, userId } = event
      if (userId === undefined) await publisher.publish(event)
      await scope.emit(pluginEventsPublished, {
        ...{ plugin, tenantId, type, payload },
        ...(userId !== undefined && { userId }),
      })
    }),
  )
  scope.use(needs.jobs.register(jobs.queued))
  scope.use(needs.jobs.register(new Deliverer({ db, queue, jobs, runtime, tenants }).kind))
  // What waited for a plugin that runs here from now on, whatever became of its jobs.
  scope.on(pluginEnabled, async ({ name }) => {
    const id = runtime.find(name)?.id
    if (id === undefined) return
    await db.transaction(async (trx) => jobs.deliver(trx, [id], await queue.tenantsOf(trx, id)))
  })
  scope.every(sweepMilliseconds, () => queue.sweep())
  bridgeKernelEvents(scope, (trx, event) => publisher.publishWithin(trx, event))
  const rows = eventRows(db, jobs)
  scope.use(keepers.register(rows))
  // What was tried before this host knew of the licence waits again.
  scope.on(pluginsLicenseChanged, async ({ plugin }) => {
    const id = runtime.find(plugin)?.id
    if (id !== undefined) await db.transaction(async (trx) => rows.hurry?.(trx, id))
  })
  scope.route(...eventRoutes(directory, new DeadEvents({ db, audit, jobs, teller: needs.teller })))
}
