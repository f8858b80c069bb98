import type { PermissionDeclaration } from '#kernel'

/** What may be done with plugins, by administrators of the platform and of tenants. */
export const permissions: readonly PermissionDeclaration[] = [
  {
    resource: 'platform_plugin',
    scope: 'ADMIN',
    actions: {
      list: 'List installed plugins',
      detail: 'See a plugin, its operations, why its code failed, and what it costs',
      install: 'Upload and install plugins',
      consent: 'Grant plugins the capabilities they ask for',
      uninstall: 'Uninstall plugins',
      force_cleanup: 'Remove what a broken plugin left behind, without running its code',
      enable: 'Enable plugins',
      disable: 'Disable plugins',
      upgrade: 'Upgrade plugins',
      rollback: 'Roll plugins back to an earlier release',
      repair: 'Repair broken plugins',
      sync: 'Load the manifest of a plugin anew',
      config: 'Configure plugins',
      capabilities: 'Change what plugins are granted',
      menu: 'Arrange the menu entries of plugins',
      icon: 'Change the icons of plugins',
      assign_tenant: 'Assign plugins to tenants',
      license: 'Activate and revoke licences of plugins',
      backup: 'Manage backups of plugins',
      backup_download: 'Download backups of plugins, which hold the rows of all tenants',
    },
  },
  {
    resource: 'marketplace',
    scope: 'ADMIN',
    actions: {
      browse: 'Look for plugins in the index sources',
      download: 'Take packages from the index sources',
      sources: 'Choose index sources and the publishers that are trusted',
    },
  },
  {
    resource: 'tenant_plugin',
    scope: 'TENANT',
    actions: {
      list: 'List the plugins assigned to the tenant',
      use: 'Use the plugins of the tenant',
      enable: 'Enable and disable the plugins assigned to the tenant',
      config: 'Configure the plugins of the tenant',
    },
  },
]
