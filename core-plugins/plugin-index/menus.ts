import type { MenuDeclaration } from '#kernel'
import { texts } from './texts/texts.ts'

/** The plugin's entry of the navigation. */
export const menus: readonly MenuDeclaration[] = [
  {
    ...{ name: 'admin_marketplace', title: texts.of('admin_marketplace'), area: 'admin', type: 'menu' },
    ...{ path: '/admin/marketplace', component: 'admin/marketplace/index', icon: 'shop' },
    ...{ permission: 'marketplace:browse', sort: 42 },
  },
  {
    ...{ name: 'admin_updates', title: texts.of('admin_updates'), area: 'admin', type: 'menu', path: '/admin/updates' },
    ...{ component: 'admin/updates/index', icon: 'refresh', permission: 'marketplace:browse', sort: 52 },
  },
  {
    ...{
      name: 'admin_plugin_sources',
      title: texts.of('admin_plugin_sources'),
      area: 'admin',
      type: 'menu',
      path: '/admin/plugin-sources',
    },
    ...{ component: 'admin/plugin-sources/index', icon: 'link', permission: 'marketplace:sources', sort: 54 },
  },
]
