import type { MenuDeclaration } from '#kernel'
import { texts } from './texts/texts.ts'

/** The pages that the areas open on. */
export const menus: readonly MenuDeclaration[] = [
  {
    ...{ name: 'admin_dashboard', title: texts.of('admin_dashboard'), area: 'admin', type: 'menu', path: '/admin' },
    ...{ component: 'admin/dashboard/index', icon: 'layout-dashboard', permission: 'console_admin:enter', sort: 1 },
  },
  {
    ...{ name: 'tenant_dashboard', title: texts.of('tenant_dashboard'), area: 'tenant', type: 'menu', path: '/tenant' },
    ...{ component: 'tenant/dashboard/index', icon: 'layout-dashboard', permission: 'console_tenant:enter', sort: 1 },
  },
  {
    ...{
      name: 'admin_api',
      title: texts.of('admin_api'),
      area: 'admin',
      type: 'menu',
      parent: 'admin_system',
      path: '/admin/api',
    },
    ...{ component: 'admin/api/index', icon: 'document', permission: 'console_admin:enter', sort: 60 },
  },
]
