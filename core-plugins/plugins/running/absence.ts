import { RouteNotFoundError, type AppError, type Principal } from '#kernel'
import { PluginDisabledError, PluginRevokedError } from '../shared/errors.ts'
import type { DesiredPlugin } from './desired-state.ts'

/**
 * What is said of a plugin that is not there for a tenant. Whoever may list plugins reads there why not and is told so here too: an
 * administrator of the platform, and in a tenant that it is assigned to whoever sees the tenant's plugins. Nobody else learns that
 * there is such a plugin.
 */
export function absenceOf(plugin: DesiredPlugin | undefined, tenantId: number, asker: Principal | undefined): AppError {
  if (!plugin || plugin.removing || !asker || !maySee(plugin, tenantId, asker)) return new RouteNotFoundError()
  // Only a revocation takes a plugin out of service and leaves its reason.
  if (plugin.status === 'installed' && plugin.reason !== null) return new PluginRevokedError()
  const isTenants = plugin.status === 'enabled' || plugin.status === 'quarantined'
  return new PluginDisabledError({ details: { by: isTenants ? 'tenant' : 'platform' } })
}

function maySee({ scope, tenants }: DesiredPlugin, tenantId: number, asker: Principal): boolean {
  if (tenantId === 0) return asker.scope === 'platform' && asker.can('platform_plugin:list')
  return (scope === 'platform' || tenants.has(tenantId)) && asker.can('tenant_plugin:list')
}
