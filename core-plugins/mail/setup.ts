import { type Needed, type Scope, createGuardedConnect, createGuardedFetch, tenantsDeleted } from '#kernel'
import { checkMethods } from './check-methods.ts'
import { deliveryChanges, messageSender } from './contract.ts'
import { guardDelivery } from './delivery/delivery-guard.ts'
import { DeliveryLog } from './delivery/delivery-log.ts'
import { DeliveryNews } from './delivery/delivery-news.ts'
import { RecoveryBar } from './delivery/recovery-bar.ts'
import { Dispatcher } from './dispatcher.ts'
import { Drivers } from './drivers/drivers.ts'
import type { needs } from './needs.ts'
import { Outbox } from './outbox/outbox.ts'
import { createRenderer } from './rendering/renderer.ts'
import { mailRoutes } from './routes.ts'
import { createMessageSender } from './sender.ts'
import { createTestService } from './service.ts'

/** Provides who sends messages, and tells of changes to how they are delivered. */
export function setupMail(scope: Scope, { access, config, workflow, audit, jobs }: Needed<typeof needs>): void {
  const client = scope.use(createGuardedFetch(scope.env))
  const { db, secrets, log, env } = scope
  const connect = createGuardedConnect(env)
  const drivers = scope.use(new Drivers({ config, client, connect, log, production: env.production }))
  const changes = new DeliveryLog(db, secrets)
  const news = new DeliveryNews({ scope, jobs, changes })
  const bar = new RecoveryBar({ access, audit, changes })
  const dispatcher = new Dispatcher({ config, drivers, renderer: createRenderer(config), changes, bar })
  const outbox = new Outbox({ db, jobs, secrets, dispatcher, log })
  const sender = createMessageSender(outbox, drivers)
  scope.use(jobs.register(outbox.kind))
  scope.use(jobs.register(news.kind))
  scope.provide(messageSender, sender)
  scope.provide(deliveryChanges, news)
  scope.use(workflow.registerGuard(guardDelivery({ access, news })))
  scope.use(workflow.register(checkMethods(sender)))
  scope.route(...mailRoutes(createTestService(dispatcher, drivers, audit)))
  scope.on(tenantsDeleted, ({ tenantId }) => changes.deleteAll(tenantId))
  scope.every(60 * 60_000, () => changes.sweep())
}
