import type { MenuDeclaration } from '#kernel'
import { texts } from './texts/texts.ts'

/** The plugin's entries of the navigation. */
export const menus: readonly MenuDeclaration[] = [
  {
    ...{
      name: 'admin_notify',
      title: texts.of('admin_notify'),
      area: 'admin',
      type: 'menu',
      parent: 'admin_system',
      path: '/admin/notify',
    },
    ...{ component: 'admin/notify/index', icon: 'bell', permission: 'platform_notification:send', sort: 50 },
  },
]
