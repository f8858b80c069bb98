import type { MenuDeclaration } from '#kernel'
import { texts } from './texts/texts.ts'

/** The plugin's entry of the navigation. */
export const menus: readonly MenuDeclaration[] = [
  {
    ...{ name: 'admin_marketplace', title: texts.of('admin_marketplace'), area: 'admin', type: 'menu' },
    ...{ path: '/admin/marketplace', component: 'admin/marketplace/index', icon: 'shop' },
    ...{ permission: 'marketplace:browse', sort: 42 },
  },
]
