import type { MenuDeclaration } from '#kernel'
import { texts } from './texts/texts.ts'

/** The plugin's entries of the navigation. */
export const menus: readonly MenuDeclaration[] = [
  {
    ...{ name: 'admin_files', title: texts.of('admin_files'), area: 'admin', type: 'menu', path: '/admin/files' },
    ...{ component: 'admin/files/index', icon: 'folder', permission: 'platform_attachment:list', sort: 70 },
  },
  {
    ...{ name: 'tenant_files', title: texts.of('tenant_files'), area: 'tenant', type: 'menu', path: '/tenant/files' },
    ...{ component: 'tenant/files/index', icon: 'folder', permission: 'tenant_attachment:list', sort: 70 },
  },
  {
    ...{ name: 'user_files', title: texts.of('user_files'), area: 'user', type: 'menu', path: '/files' },
    ...{ component: 'user/files/index', icon: 'folder', permission: 'user_attachment:read', sort: 30 },
  },
]
