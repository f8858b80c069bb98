import type { Needed, Scope } from '#kernel'
import { healthChanged, healthDetails } from './contract.ts'
import { DetailTable } from './detail-table.ts'
import { createHealthCheck, probeMilliseconds } from './health.ts'
import { createHealthWatch } from './health-watch.ts'
import { HostLease } from './host-lease.ts'
import { metricsRoute } from './metrics-route.ts'
import type { needs } from './needs.ts'
import { ProcessFigures } from './process-figures.ts'
import { documentRoute, healthDetailRoute, healthRoute } from './routes.ts'

const watchMilliseconds = 10_000

/** Claims the database for this host, and shows how it is. */
export async function setupSystem(
  scope: Scope,
  { connection, document, metrics }: Needed<typeof needs>,
): Promise<void> {
  const lease = scope.use(new HostLease(connection.url, scope.env.redisUrl ? 'shared' : 'exclusive', scope.log))
  await lease.take()
  const checkHealth = createHealthCheck({
    // A connection that says nothing in time is thrown away, or a dead one would be asked for ever.
    database: () => Promise.resolve(scope.db.raw('select 1').timeout(probeMilliseconds)),
    cache: () => scope.cache.ping(),
  })
  const figures = scope.use(new ProcessFigures())
  scope.use(metrics.register(() => figures.families()))
  const details = new DetailTable()
  scope.provide(healthDetails, details)
  const watch = createHealthWatch(checkHealth, (health) => scope.emit(healthChanged, health))
  scope.every(watchMilliseconds, watch)
  scope.route(healthRoute(checkHealth, details), healthDetailRoute(scope.hostId, checkHealth, details))
  const routes = [documentRoute(document), metricsRoute(metrics, scope.env.metricsToken)]
  scope.route(...routes)
}
