import type { MenuDeclaration } from '#kernel'
import { texts } from './texts/texts.ts'

/** The plugin's entries of the navigation. */
export const menus: readonly MenuDeclaration[] = [
  {
    ...{
      name: 'tenant_storage',
      title: texts.of('tenant_storage'),
      area: 'tenant',
      type: 'menu',
      path: '/tenant/storage',
    },
    ...{ component: 'tenant/storage/index', icon: 'package', permission: 'tenant_config:groups', sort: 84 },
  },
]
