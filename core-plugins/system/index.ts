import { apiDocument, databaseConnection, definePlugin } from '#kernel'
import { healthDetails, processMetrics } from './contract.ts'
import { DetailTable } from './detail-table.ts'
import { createHealthCheck, probeMilliseconds } from './health.ts'
import { HostLease } from './host-lease.ts'
import { messages } from './messages.ts'
import { metricsRoute } from './metrics-route.ts'
import { permissions } from './permissions.ts'
import { MetricsRegistry } from './process-metrics.ts'
import { documentRoute, healthDetailRoute, healthRoute, rootRoute } from './routes.ts'

export default definePlugin({
  name: 'system',
  version: '1.0.0',
  title: { default: 'System', 'zh-CN': '系统' },
  description: { default: 'Health, and the description of the interface', 'zh-CN': '健康检查与接口描述' },
  permissions,
  messages,
  needs: { connection: databaseConnection, document: apiDocument },
  provides: [processMetrics, healthDetails],
  async setup(scope, { connection, document }) {
    const lease = scope.use(new HostLease(connection.url, scope.env.redisUrl ? 'shared' : 'exclusive', scope.log))
    await lease.take()
    const checkHealth = createHealthCheck({
      // A connection that says nothing in time is thrown away, or a dead one would be asked for ever.
      database: () => Promise.resolve(scope.db.raw('select 1').timeout(probeMilliseconds)),
      cache: () => scope.cache.ping(),
    })
    const metrics = scope.use(new MetricsRegistry(scope.log))
    const details = new DetailTable()
    scope.provide(processMetrics, metrics)
    scope.provide(healthDetails, details)
    scope.route(healthRoute(checkHealth), healthDetailRoute(scope.hostId, checkHealth, details))
    const routes = [documentRoute(document), metricsRoute(metrics, scope.env.metricsToken)]
    scope.route(...routes, rootRoute)
  },
})
