import path from 'node:path'
import { createGuardedConnect, createGuardedFetch, definePlugin, tenantsDeleted } from '#kernel'
import { access, audit } from '../access/contract.ts'
import { configReader, tenantConfigWorkflow } from '../config/contract.ts'
import { checkMethods } from './check-methods.ts'
import { deliveryChanges, messageSender } from './contract.ts'
import { groups } from './declared/groups.ts'
import { guardDelivery } from './delivery/delivery-guard.ts'
import { DeliveryLog } from './delivery/delivery-log.ts'
import { DeliveryNews } from './delivery/delivery-news.ts'
import { RecoveryBar } from './delivery/recovery-bar.ts'
import { Dispatcher } from './dispatcher.ts'
import { Drivers } from './drivers/drivers.ts'
import { Courier } from './outbox/courier.ts'
import { Outbox } from './outbox/outbox.ts'
import { createRenderer } from './rendering/renderer.ts'
import { mailRoutes } from './routes.ts'
import { createMessageSender } from './sender.ts'
import { createTestService } from './service.ts'
import { texts } from './texts/texts.ts'

export default definePlugin({
  name: 'mail',
  version: '1.0.0',
  title: texts.of('plugin.title'),
  description: texts.of('plugin.description'),
  messages: texts.messages,
  config: groups,
  migrations: path.join(import.meta.dirname, 'migrations'),
  sealed: [
    { table: 'outgoing_messages', column: 'payload' },
    { table: 'mail_delivery_changes', column: 'former' },
  ],
  needs: { access, config: configReader, workflow: tenantConfigWorkflow, audit },
  provides: [messageSender, deliveryChanges],
  setup(scope, { access, config, workflow, audit }) {
    const client = scope.use(createGuardedFetch(scope.env))
    const { log, env } = scope
    const connect = createGuardedConnect(env)
    const drivers = scope.use(new Drivers({ config, client, connect, log, production: env.production }))
    const changes = new DeliveryLog(scope.db, scope.secrets)
    const news = new DeliveryNews(scope, changes)
    const bar = new RecoveryBar({ access, audit, changes })
    const dispatcher = new Dispatcher({ config, drivers, renderer: createRenderer(config), changes, bar })
    const outbox = new Outbox(scope.db, scope.secrets)
    const courier = scope.use(new Courier({ outbox, dispatcher, log: scope.log }))
    const sender = createMessageSender(outbox, courier, drivers)
    scope.provide(messageSender, sender)
    scope.provide(deliveryChanges, news)
    scope.use(workflow.registerGuard(guardDelivery({ access, changes, news })))
    scope.use(workflow.register(checkMethods(sender)))
    scope.route(...mailRoutes(createTestService(dispatcher, drivers, audit)))
    scope.on(tenantsDeleted, ({ tenantId }) => outbox.deleteAll(tenantId))
    scope.on(tenantsDeleted, ({ tenantId }) => changes.deleteAll(tenantId))
    scope.every(2_000, () => courier.wake())
    scope.every(5_000, () => courier.renew())
    scope.every(30_000, () => news.tell())
    scope.every(60 * 60_000, () => outbox.sweep())
    scope.every(60 * 60_000, () => changes.sweep())
  },
})
