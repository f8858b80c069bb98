import type { MenuDeclaration } from '#kernel'

/** The plugin's entries of the navigation. */
export const menus: readonly MenuDeclaration[] = [
  {
    name: 'admin_tenants',
    title: { default: 'Tenants', 'zh-CN': '租户' },
    area: 'admin',
    type: 'menu',
    path: '/admin/tenants',
    component: 'admin/tenants/index',
    icon: 'building',
    permission: 'platform_tenant:list',
    sort: 20,
  },
]
