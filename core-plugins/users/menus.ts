import type { MenuDeclaration } from '#kernel'
import { texts } from './texts/texts.ts'

/** The plugin's entries of the navigation. */
export const menus: readonly MenuDeclaration[] = [
  {
    name: 'admin_users',
    title: texts.of('admin_users'),
    area: 'admin',
    type: 'menu',
    parent: 'admin_people',
    path: '/admin/users',
    component: 'admin/users/index',
    icon: 'users',
    permission: 'platform_user:list',
    sort: 10,
  },
  {
    name: 'tenant_users',
    title: texts.of('tenant_users'),
    area: 'tenant',
    type: 'menu',
    parent: 'tenant_people',
    path: '/tenant/users',
    component: 'tenant/users/index',
    icon: 'users',
    permission: 'tenant_user:list',
    sort: 10,
  },
  {
    name: 'user_profile',
    title: texts.of('user_profile'),
    area: 'user',
    type: 'menu',
    path: '/profile',
    component: 'user/profile/index',
    icon: 'user',
    permission: 'user_profile:read',
    sort: 90,
  },
]
