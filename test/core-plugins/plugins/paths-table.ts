import type { Dispatcher } from 'undici'

/** One path about plugins, below `/plugins`, with who may call it. */
export interface PluginPath {
  readonly method: Dispatcher.HttpMethod
  readonly path: string
  /** What the caller must hold. */
  readonly permission: string
}

const detail = 'platform_plugin:detail'

/** The paths of the interface document's administration table, and those that its contract adds, under both prefixes. */
export const administrationPaths: readonly PluginPath[] = [
  ...of('POST', {
    '/install': 'platform_plugin:install',
    '/upload': 'platform_plugin:install',
    '/{plugin_id}/consent': 'platform_plugin:consent',
    '/{plugin_id}/enable': 'platform_plugin:enable',
    '/{plugin_id}/disable': 'platform_plugin:disable',
    '/{plugin_id}/sync-manifest': 'platform_plugin:sync',
    '/{plugin_id}/refresh-schedules': 'platform_plugin:schedules',
    '/{plugin_id}/repair': 'platform_plugin:repair',
    '/{plugin_id}/icon': 'platform_plugin:icon',
    '/{plugin_id}/upgrade': 'platform_plugin:upgrade',
    '/{plugin_id}/rollback': 'platform_plugin:rollback',
    '/{plugin_id}/tenants': 'platform_plugin:assign_tenant',
    '/{plugin_id}/activate-license': 'platform_plugin:license',
    '/{plugin_id}/activate-trial': 'platform_plugin:license',
  }),
  ...of('PUT', {
    '/{plugin_id}/menu-config': 'platform_plugin:menu',
    '/{plugin_id}/config': 'platform_plugin:config',
    '/{plugin_id}/capabilities': 'platform_plugin:capabilities',
  }),
  ...of('DELETE', {
    '/{plugin_id}': 'platform_plugin:uninstall',
    '/{plugin_id}/force-cleanup': 'platform_plugin:force_cleanup',
    '/{plugin_id}/tenants/{tenant_id}': 'platform_plugin:assign_tenant',
    '/{plugin_id}/license': 'platform_plugin:license',
    '/{plugin_id}/icon': 'platform_plugin:icon',
    '/{plugin_id}/backups/{backup_name}': 'platform_plugin:backup',
  }),
  ...of('GET', {
    '/{plugin_id}': detail,
    '/{plugin_id}/readme': detail,
    '/{plugin_id}/capabilities': detail,
    '/{plugin_id}/config': 'platform_plugin:config',
    '/{plugin_id}/operations': detail,
    '/{plugin_id}/operations/{operation_id}': detail,
    '/{plugin_id}/backups': 'platform_plugin:backup',
    '/{plugin_id}/metrics': detail,
    '/{plugin_id}/uninstall-plan': detail,
    '/{plugin_id}/schedules': detail,
    '/{plugin_id}/events': detail,
    '/operations': detail,
    '/orphans': 'platform_plugin:force_cleanup',
    '/marketplace': 'marketplace:browse',
    '/marketplace/{name}': 'marketplace:browse',
    '/updates': 'marketplace:browse',
  }),
]

/** The tenant's own paths, below `/tenant/plugins`. */
export const tenantPaths: readonly PluginPath[] = [
  ...of('POST', { '/{plugin_id}/enable': 'tenant_plugin:enable', '/{plugin_id}/disable': 'tenant_plugin:enable' }),
  ...of('PUT', { '/{plugin_id}/config': 'tenant_plugin:config' }),
  ...of('GET', { '/{plugin_id}/config': 'tenant_plugin:config' }),
]

function of(method: Dispatcher.HttpMethod, paths: Readonly<Record<string, string>>): readonly PluginPath[] {
  return Object.entries(paths).map(([path, permission]) => ({ method, path, permission }))
}
