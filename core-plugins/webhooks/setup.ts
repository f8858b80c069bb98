import { createGuardedFetch, tenantsDeleted, type Needed, type Scope } from '#kernel'
import { namesIn } from '../access/contract.ts'
import { notificationsCreated } from '../notifications/contract.ts'
import { usersDeleted } from '../users/contract.ts'
import { deliverJobs } from './deliveries/deliver.ts'
import { DeliveryLog } from './deliveries/log.ts'
import { tellJobs } from './deliveries/pause.ts'
import { DeliveryQueue } from './deliveries/queue.ts'
import { Readers } from './deliveries/readers.ts'
import { Sender } from './deliveries/send.ts'
import { sweepDeliveries } from './deliveries/sweep.ts'
import { eraseTenant, forgetUser } from './erasure.ts'
import { HookSecrets } from './hooks/secrets.ts'
import { HookService } from './hooks/service.ts'
import { Targets } from './hooks/target.ts'
import { limits as platformLimits, type WebhookLimits } from './limits.ts'
import { HookRow } from './models.ts'
import type { needs } from './needs.ts'
import { webhookRoutes } from './routes.ts'

const sweepMilliseconds = 60 * 60_000

/** Brings events to servers of tenants, users and the platform. */
export function setupWebhooks(
  scope: Scope,
  needed: Needed<typeof needs>,
  limits: WebhookLimits = platformLimits,
): void {
  const { access, audit, feed, jobs, notifier, tenants, users } = needed
  const { db, env } = scope
  const client = scope.use(createGuardedFetch(env))
  const secrets = new HookSecrets(scope.secrets)
  const targets = new Targets(client, env.egressAllowPrivate)
  const hooks = new HookService({ db, audit, feed, secrets, targets })
  scope.use(audit.nameTargets('webhook', namesIn(HookRow, db)))
  const sender = new Sender({ db, client, secrets, timeoutMs: limits.timeoutMs })
  const readers = new Readers({ access, users, tenants, feed })
  const queue = new DeliveryQueue({ db, jobs, readers })
  const log = new DeliveryLog({ db, jobs, hooks, readers, sender })
  scope.use(jobs.register(deliverJobs({ db, jobs, readers, sender, limits })))
  scope.use(jobs.register(tellJobs({ db, access, notifier, users })))
  scope.register(() => feed.onTold((news) => queue.told(news)))
  scope.onWithin(notificationsCreated, (trx, created) => queue.notified(trx, created))
  scope.route(...webhookRoutes(hooks, log))
  scope.on(tenantsDeleted, ({ tenantId }) => eraseTenant(db, tenantId))
  scope.on(usersDeleted, (user) => forgetUser(db, jobs, user))
  scope.every(sweepMilliseconds, () => sweepDeliveries({ db, jobs, limits }))
}
