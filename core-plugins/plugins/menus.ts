import type { MenuDeclaration } from '#kernel'
import { texts } from './texts/texts.ts'

/** The plugin's entries of the navigation. */
export const menus: readonly MenuDeclaration[] = [
  {
    ...{ name: 'admin_plugins', title: texts.of('admin_plugins'), area: 'admin', type: 'menu', path: '/admin/plugins' },
    ...{ component: 'admin/plugins/index', icon: 'puzzle', permission: 'platform_plugin:list', sort: 40 },
  },
  {
    ...{ name: 'tenant_plugins', title: texts.of('tenant_plugins'), area: 'tenant', type: 'menu' },
    ...{ path: '/tenant/plugins', component: 'tenant/plugins/index', icon: 'puzzle' },
    ...{ permission: 'tenant_plugin:list', sort: 50 },
  },
  {
    ...{
      name: 'admin_plugin_operations',
      title: texts.of('admin_plugin_operations'),
      area: 'admin',
      type: 'menu',
      path: '/admin/plugin-operations',
    },
    ...{ component: 'admin/plugin-operations/index', icon: 'activity', permission: 'platform_plugin:detail', sort: 56 },
  },
]
