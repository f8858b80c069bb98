import type { MenuDeclaration } from '#kernel'
import { texts } from './texts/texts.ts'

/** The plugin's entries of the navigation. */
export const menus: readonly MenuDeclaration[] = [
  {
    ...{
      name: 'admin_health',
      title: texts.of('admin_health'),
      area: 'admin',
      type: 'menu',
      parent: 'admin_system',
      path: '/admin/system',
    },
    ...{ component: 'admin/system/index', icon: 'gauge', permission: 'platform_health:read', sort: 10 },
  },
]
