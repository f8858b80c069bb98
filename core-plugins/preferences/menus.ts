import type { MenuDeclaration } from '#kernel'
import { texts } from './texts/texts.ts'

/** The plugin's entries of the navigation. */
export const menus: readonly MenuDeclaration[] = [
  {
    ...{
      name: 'admin_preferences',
      title: texts.of('admin_preferences'),
      area: 'admin',
      type: 'menu',
      parent: 'admin_system',
      path: '/admin/preferences',
    },
    ...{ component: 'admin/preferences/index', icon: 'brush', permission: 'platform_preference:read', sort: 40 },
  },
  {
    ...{
      name: 'tenant_preferences',
      title: texts.of('tenant_preferences'),
      area: 'tenant',
      type: 'menu',
      path: '/tenant/preferences',
    },
    ...{ component: 'tenant/preferences/index', icon: 'brush', permission: 'tenant_preference:read', sort: 86 },
  },
]
