import path from 'node:path'
import { definePlugin, tenantResolver, tenantsDeleted, textTeller } from '#kernel'
import { access } from '../access/contract.ts'
import { mailDeliveryChanged, messageSender } from '../mail/contract.ts'
import { userDirectory, usersChanged } from '../users/contract.ts'
import { notifier } from './contract.ts'
import { tellOfDelivery } from './delivery/tell-of-delivery.ts'
import { permissions } from './permissions.ts'
import { notificationRoutes } from './routes.ts'
import { NotificationService } from './service.ts'
import { texts } from './texts/texts.ts'

const sweepMilliseconds = 60 * 60_000

export default definePlugin({
  name: 'notifications',
  version: '1.0.0',
  title: texts.of('plugin.title'),
  description: texts.of('plugin.description'),
  permissions,
  messages: texts.messages,
  migrations: path.join(import.meta.dirname, 'migrations'),
  needs: { access, mail: messageSender, teller: textTeller, tenants: tenantResolver, users: userDirectory },
  provides: [notifier],
  setup(scope, { access, mail, teller, tenants, users }) {
    const service = new NotificationService(scope, users, teller)
    const telling = { access, mail, tenants, users, notifier: service }
    scope.provide(notifier, service)
    scope.route(...notificationRoutes(service))
    scope.on(usersChanged, (user) => (user.change === 'deleted' ? service.forgetUser(user) : undefined))
    scope.on(mailDeliveryChanged, (change) => tellOfDelivery(telling, change))
    scope.on(tenantsDeleted, ({ tenantId }) => service.forgetTenant(tenantId))
    scope.every(sweepMilliseconds, () => service.sweep())
  },
})
