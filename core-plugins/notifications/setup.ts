import { type Needed, type Scope, tenantsDeleted } from '#kernel'
import { mailDeliveryChanged } from '../mail/contract.ts'
import { usersChanged } from '../users/contract.ts'
import { notifier } from './contract.ts'
import { tellOfDelivery } from './delivery/tell-of-delivery.ts'
import type { needs } from './needs.ts'
import { notificationRoutes } from './routes.ts'
import { NotificationService } from './service.ts'

const sweepMilliseconds = 60 * 60_000

/** Provides messages to users, and tells administrators of changes to how mail is delivered. */
export function setupNotifications(scope: Scope, { access, mail, teller, tenants, users }: Needed<typeof needs>): void {
  const service = new NotificationService(scope, users, teller)
  const telling = { access, mail, tenants, users, notifier: service }
  scope.provide(notifier, service)
  scope.route(...notificationRoutes(service))
  scope.on(usersChanged, (user) => (user.change === 'deleted' ? service.forgetUser(user) : undefined))
  scope.on(mailDeliveryChanged, (change) => tellOfDelivery(telling, change))
  scope.on(tenantsDeleted, ({ tenantId }) => service.forgetTenant(tenantId))
  scope.every(sweepMilliseconds, () => service.sweep())
}
