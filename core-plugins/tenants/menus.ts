import type { MenuDeclaration } from '#kernel'
import { texts } from './texts/texts.ts'

/** The plugin's entries of the navigation. */
export const menus: readonly MenuDeclaration[] = [
  {
    name: 'admin_tenants',
    title: texts.of('admin_tenants'),
    area: 'admin',
    type: 'menu',
    path: '/admin/tenants',
    component: 'admin/tenants/index',
    icon: 'building',
    permission: 'platform_tenant:list',
    sort: 20,
  },
  {
    ...{
      name: 'tenant_domains',
      title: texts.of('tenant_domains'),
      area: 'tenant',
      type: 'menu',
      path: '/tenant/domains',
    },
    ...{ component: 'tenant/domains/index', icon: 'link', permission: 'tenant_domain:list', sort: 82 },
  },
]
