import path from 'node:path'
import { createGuardedConnect, createGuardedFetch, definePlugin, tenantsDeleted } from '#kernel'
import { access, audit } from '../access/contract.ts'
import { configReader, tenantConfigWorkflow } from '../config/contract.ts'
import { jobs } from '../jobs/contract.ts'
import { checkMethods } from './check-methods.ts'
import { deliveryChanges, messageSender } from './contract.ts'
import { groups } from './declared/groups.ts'
import { guardDelivery } from './delivery/delivery-guard.ts'
import { DeliveryLog } from './delivery/delivery-log.ts'
import { DeliveryNews } from './delivery/delivery-news.ts'
import { RecoveryBar } from './delivery/recovery-bar.ts'
import { Dispatcher } from './dispatcher.ts'
import { Drivers } from './drivers/drivers.ts'
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
  sealed: [{ table: 'mail_delivery_changes', column: 'former' }],
  needs: { access, config: configReader, workflow: tenantConfigWorkflow, audit, jobs },
  provides: [messageSender, deliveryChanges],
  setup(scope, { access, config, workflow, audit, jobs }) {
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
  },
})
