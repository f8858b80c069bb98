import { kernelStopping, tenantsClosed, tenantsUpdated, type Needed, type Scope } from '#kernel'
import { Admission } from './admission.ts'
import { UserLimit } from './connections/user-limit.ts'
import { wireFeed } from './contract.ts'
import { limits as platformLimits, type RealtimeLimits } from './limits.ts'
import type { needs } from './needs.ts'
import { Realtime } from './realtime.ts'
import { socketRoutes } from './socket-routes.ts'
import { streamRoutes } from './stream/routes.ts'
import { asyncApiDocument } from './wire/async-api.ts'
import { Feed } from './wire/feed.ts'
import { publishPluginEvents } from './wire/plugin-events.ts'
import { publishEvents } from './wire/publish.ts'
import { wireEvents } from './wire/wire-table.ts'

const tickMilliseconds = 1_000

/** Brings events to clients, over WebSockets and as Server-Sent Events. */
export function setupRealtime(
  scope: Scope,
  needed: Needed<typeof needs>,
  limits: RealtimeLimits = platformLimits,
): void {
  const { cache, eventLog, log } = scope
  const users = scope.use(new UserLimit(scope.bus, scope.hostId, limits.perUser))
  const { teller, plugins } = needed
  const admission = new Admission(needed)
  const realtime = new Realtime({ eventLog, cache, log, teller, plugins, admission, users, limits })
  const { hub } = realtime
  scope.defer(() => realtime.end())
  scope.use(eventLog.subscribe(hub))
  scope.register(() => needed.callers.onForgotten((test) => hub.doubt(test)))
  for (const event of [tenantsUpdated, tenantsClosed]) {
    scope.on(event, ({ tenantId }) => hub.doubt((known) => known.tenantId === tenantId), 'every-host')
  }
  scope.on(kernelStopping, () => realtime.stop())
  const feed = new Feed(wireEvents)
  scope.provide(wireFeed, feed)
  publishEvents(scope, wireEvents, needed, feed)
  publishPluginEvents(scope)
  scope.sockets(...socketRoutes(realtime))
  scope.route(...streamRoutes(realtime, asyncApiDocument(wireEvents, scope.env.publicUrl)))
  scope.every(tickMilliseconds, () => realtime.tick())
}
