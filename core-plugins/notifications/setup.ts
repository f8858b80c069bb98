import { type Needed, type Scope, tenantsDeleted } from '#kernel'
import { mailDeliveryChanged } from '../mail/contract.ts'
import { usersDeleted } from '../users/contract.ts'
import { announcementRoutes } from './announcements/routes.ts'
import { AnnouncementService } from './announcements/service.ts'
import { MailWay } from './channels/mail-way.ts'
import { channelPreferences } from './channels/preferences.ts'
import { PluginMails } from './channels/plugin-mail.ts'
import { notifier, pluginMailer } from './contract.ts'
import { tellOfDelivery } from './delivery/tell-of-delivery.ts'
import type { needs } from './needs.ts'
import { notificationRoutes } from './routes.ts'
import { NotificationService } from './service.ts'

const sweepMilliseconds = 60 * 60_000

/** Provides messages to users, and tells administrators of changes to how mail is delivered. */
export function setupNotifications(scope: Scope, needed: Needed<typeof needs>): void {
  const { access, audit, catalogue, config, jobs, mail, preferences, teller, tenants, users } = needed
  const { db, limiter, env, secrets } = scope
  const shared = { preferences, teller, users }
  const mailing = { ...shared, config, db, jobs, limiter, mail, tenants, publicUrl: env.publicUrl }
  const mailWay = new MailWay(mailing)
  const pluginMails = new PluginMails({ ...mailing, access, secrets })
  const service = new NotificationService({ ...shared, scope, mailWay })
  scope.register(() => catalogue.register(channelPreferences))
  const announcements = new AnnouncementService({ scope, jobs, audit })
  const telling = { access, mail, tenants, users, notifier: service }
  scope.provide(notifier, service)
  scope.provide(pluginMailer, pluginMails)
  for (const kind of [announcements.kind, pluginMails.kind, ...mailWay.kinds]) scope.use(jobs.register(kind))
  scope.route(...notificationRoutes(service), ...announcementRoutes(announcements))
  scope.on(usersDeleted, async (user) => {
    await service.forgetUser(user)
    await announcements.forgetUser(user)
  })
  scope.on(mailDeliveryChanged, (change) => tellOfDelivery(telling, change))
  scope.on(tenantsDeleted, async ({ tenantId }) => {
    await service.forgetTenant(tenantId)
    await announcements.forgetTenant(tenantId)
  })
  scope.every(sweepMilliseconds, async () => {
    await service.sweep()
    await announcements.sweep()
  })
}
