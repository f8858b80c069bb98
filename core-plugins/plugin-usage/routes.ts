import { defineRoute, NotFoundError, type Route, withAlias } from '#kernel'
import type { PluginDirectory } from '../plugins/contract.ts'
import type { TenantDirectory } from '../tenants/contract.ts'
import {
  metricsBody,
  metricsQuery,
  ownMetricsBody,
  pluginParams,
  seriesQuery,
  tenantCostBody,
  tenantCostParams,
  tenantsCostBody,
  topBody,
  topQuery,
} from './schemas.ts'
import type { MetricsService } from './service.ts'

/** What the routes of costs stand on. */
interface MetricsRouteParts {
  readonly directory: PluginDirectory
  readonly metrics: MetricsService
  readonly tenants: Pick<TenantDirectory, 'list'>
}

/** What administrators read of the cost of plugins, under both prefixes, and what a tenant reads of its own. */
export function metricsRoutes(parts: MetricsRouteParts): readonly Route[] {
  const { directory, metrics } = parts
  return [
    ...withAlias('/admin/plugins', '/plugins', (prefix) => adminRoutes(parts, prefix)),
    defineRoute({
      method: 'get',
      path: '/tenant/plugins/metrics',
      summary: 'Read what the plugins of the tenant cost, by plugin and by hour',
      auth: 'tenant',
      permission: 'tenant_plugin:list',
      schema: { query: metricsQuery, response: tenantCostBody },
      handler: ({ principal, query }) => metrics.ofTenant(principal.tenantId, query.hours),
    }),
    defineRoute({
      method: 'get',
      path: '/tenant/plugins/{plugin_id}/metrics',
      summary: 'Read what a plugin did and cost for the tenant, over time',
      auth: 'tenant',
      permission: 'tenant_plugin:list',
      errors: [4046],
      schema: { params: pluginParams, query: seriesQuery, response: ownMetricsBody },
      handler: async ({ params, principal: { tenantId }, query }) =>
        metrics.ofTenantsPlugin(await directory.getForTenant(params.plugin_id, tenantId), tenantId, query),
    }),
  ]
}

function adminRoutes({ directory, metrics, tenants }: MetricsRouteParts, prefix: string): readonly Route[] {
  const shared = { method: 'get', auth: 'platform', permission: 'platform_plugin:detail' } as const
  return [
    defineRoute({
      ...shared,
      path: `${prefix}/metrics/top`,
      summary: 'List the plugins that used the most',
      schema: { query: topQuery, response: topBody },
      handler: ({ query }) => metrics.top(query.by, query.hours, query.limit),
    }),
    defineRoute({
      ...shared,
      path: `${prefix}/metrics/tenants`,
      summary: 'List what plugins cost each tenant',
      schema: { query: metricsQuery, response: tenantsCostBody },
      handler: ({ query }) => metrics.tenants(query.hours),
    }),
    defineRoute({
      ...shared,
      path: `${prefix}/metrics/tenants/{tenant_id}`,
      summary: 'Read what plugins cost a tenant, by plugin and by hour',
      errors: [4040],
      schema: { params: tenantCostParams, query: metricsQuery, response: tenantCostBody },
      async handler({ params: { tenant_id: tenantId }, query }) {
        // 0 is the platform itself.
        const isKnown = tenantId === 0 || (await tenants.list()).some(({ id }) => id === tenantId)
        if (!isKnown) throw new NotFoundError()
        return metrics.ofTenant(tenantId, query.hours)
      },
    }),
    defineRoute({
      ...shared,
      path: `${prefix}/{plugin_id}/metrics`,
      summary: 'Read what a plugin did and cost on all hosts',
      errors: [4046],
      schema: { params: pluginParams, query: seriesQuery, response: metricsBody },
      handler: async ({ params, query, state: { locale } }) =>
        metrics.ofPlugin(await directory.get(params.plugin_id), query, locale),
    }),
  ]
}
