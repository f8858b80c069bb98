import type { MenuDeclaration } from '#kernel'
import { texts } from './texts/texts.ts'

/** Entries of the folder for AI, in their order among those of the gateway. */
const pages = [
  { page: 'quotas', icon: 'gauge', permission: 'ai_quota:list', sort: 40 },
  { page: 'api-keys', icon: 'key', permission: 'ai_api_key:list', sort: 50 },
  { page: 'usage', icon: 'receipt', permission: 'ai_usage:read', sort: 60 },
] as const

/** The plugin's entries of the navigation; the folder for AI is here because the gateway needs this plugin. */
export const menus: readonly MenuDeclaration[] = [
  { name: 'admin_ai', title: texts.of('admin_ai'), area: 'admin', type: 'dir', icon: 'sparkles', sort: 60 },
  ...pages.map(({ page, icon, permission, sort }): MenuDeclaration => {
    const name = `admin_ai_${page === 'api-keys' ? 'api_keys' : page}` as const
    return {
      ...{ name, title: texts.of(name), area: 'admin', type: 'menu', parent: 'admin_ai', path: `/admin/ai/${page}` },
      ...{ component: `admin/ai/${page}/index`, icon, permission, sort },
    }
  }),
  {
    ...{ name: 'tenant_usage', title: texts.of('tenant_usage'), area: 'tenant', type: 'menu', path: '/tenant/usage' },
    ...{ component: 'tenant/usage/index', icon: 'receipt', permission: 'tenant_usage:read', sort: 60 },
  },
  {
    ...{
      name: 'tenant_api_keys',
      title: texts.of('tenant_api_keys'),
      area: 'tenant',
      type: 'menu',
      path: '/tenant/api-keys',
    },
    ...{ component: 'tenant/api-keys/index', icon: 'key', permission: 'tenant_ai_key:list', sort: 62 },
  },
]
