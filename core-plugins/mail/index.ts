import path from 'node:path'
import { createGuardedFetch, definePlugin } from '#kernel'
import { audit } from '../access/contract.ts'
import { configReader, tenantConfigWorkflow } from '../config/contract.ts'
import { tenantsDeleted } from '../tenants/contract.ts'
import { checkMethods } from './check-methods.ts'
import { messageSender } from './contract.ts'
import { groups } from './declared/groups.ts'
import { Dispatcher } from './dispatcher.ts'
import { Drivers } from './drivers/drivers.ts'
import { messages } from './messages.ts'
import { Courier } from './outbox/courier.ts'
import { Outbox } from './outbox/outbox.ts'
import { createRenderer } from './rendering/renderer.ts'
import { mailRoutes } from './routes.ts'
import { createMessageSender } from './sender.ts'
import { createTestService } from './service.ts'

export default definePlugin({
  name: 'mail',
  version: '1.0.0',
  title: { default: 'Mail', 'zh-CN': '邮件与短信' },
  description: { default: 'E-mail and text messages, on drivers', 'zh-CN': '邮件与短信的发送' },
  messages,
  config: groups,
  migrations: path.join(import.meta.dirname, 'migrations'),
  sealed: [{ table: 'outgoing_messages', column: 'payload' }],
  needs: { config: configReader, workflow: tenantConfigWorkflow, audit },
  provides: [messageSender],
  setup(scope, { config, workflow, audit }) {
    const client = scope.use(createGuardedFetch(scope.env))
    const drivers = scope.use(new Drivers({ config, client, log: scope.log, production: scope.env.production }))
    const dispatcher = new Dispatcher({ config, drivers, renderer: createRenderer(config) })
    const outbox = new Outbox(scope.db, scope.secrets)
    const courier = scope.use(new Courier({ outbox, dispatcher, log: scope.log }))
    const sender = createMessageSender(outbox, courier, drivers)
    scope.provide(messageSender, sender)
    scope.use(workflow.register(checkMethods(sender)))
    scope.route(...mailRoutes(createTestService(dispatcher, drivers, audit)))
    scope.on(tenantsDeleted, ({ tenantId }) => outbox.deleteAll(tenantId))
    scope.every(2_000, () => courier.wake())
    scope.every(5_000, () => courier.renew())
    scope.every(60 * 60_000, () => outbox.sweep())
  },
})
