import type { MenuDeclaration } from '#kernel'
import { texts } from './texts/texts.ts'

/** The plugin's entries of the navigation. */
export const menus: readonly MenuDeclaration[] = [
  {
    ...{ name: 'admin_configs', title: texts.of('admin_configs'), area: 'admin', type: 'menu', path: '/admin/configs' },
    ...{ component: 'admin/configs/index', icon: 'settings', permission: 'platform_config:groups', sort: 85 },
  },
  {
    ...{ name: 'tenant_settings', title: texts.of('tenant_settings'), area: 'tenant', type: 'menu' },
    ...{ path: '/tenant/settings', component: 'tenant/settings/index', icon: 'settings' },
    ...{ permission: 'tenant_config:groups', sort: 80 },
  },
  {
    ...{
      name: 'admin_config_changes',
      title: texts.of('admin_config_changes'),
      area: 'admin',
      type: 'menu',
      parent: 'admin_system',
      path: '/admin/config-changes',
    },
    ...{ component: 'admin/config-changes/index', icon: 'clock', permission: 'platform_config:update', sort: 20 },
  },
]
