import path from 'node:path'
import { definePlugin, tenantResolver } from '#kernel'
import { access } from '../access/contract.ts'
import { mailDeliveryChanged, messageSender } from '../mail/contract.ts'
import { tenantsDeleted } from '../tenants/contract.ts'
import { userDirectory, usersChanged } from '../users/contract.ts'
import { notifier } from './contract.ts'
import { tellOfDelivery } from './delivery/tell-of-delivery.ts'
import { messages } from './messages.ts'
import { permissions } from './permissions.ts'
import { notificationRoutes } from './routes.ts'
import { NotificationService } from './service.ts'

const sweepMilliseconds = 60 * 60_000

export default definePlugin({
  name: 'notifications',
  version: '1.0.0',
  title: { default: 'Notifications', 'zh-CN': '通知' },
  description: { default: 'Messages to users, shown in the console', 'zh-CN': '在控制台中显示给用户的消息' },
  permissions,
  messages,
  migrations: path.join(import.meta.dirname, 'migrations'),
  needs: { access, mail: messageSender, tenants: tenantResolver, users: userDirectory },
  provides: [notifier],
  setup(scope, { access, mail, tenants, users }) {
    const service = new NotificationService(scope, users)
    const telling = { access, mail, tenants, users, notifier: service }
    scope.provide(notifier, service)
    scope.route(...notificationRoutes(service))
    scope.on(usersChanged, (user) => (user.change === 'deleted' ? service.forgetUser(user) : undefined))
    scope.on(mailDeliveryChanged, (change) => tellOfDelivery(telling, change))
    scope.on(tenantsDeleted, ({ tenantId }) => service.forgetTenant(tenantId))
    scope.every(sweepMilliseconds, () => service.sweep())
  },
})
