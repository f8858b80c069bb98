import { defineRoute, versionOfText, withEtag, type Route } from '#kernel'
import type { Access } from '../contract.ts'
import { managementRoutes } from './management-routes.ts'
import type { MenuService } from './menu-service.ts'
import { menuList } from './schemas.ts'

const rolesAndPermissions = {
  type: 'object',
  required: ['roles', 'permissions', 'data_scope'],
  properties: {
    roles: {
      type: 'array',
      items: {
        type: 'object',
        required: ['code', 'name'],
        properties: { code: { type: 'string' }, name: { type: 'string' } },
      },
    },
    permissions: { type: 'array', items: { type: 'string' } },
    data_scope: { type: 'string' },
  },
} as const

/** What a caller may see and do, and how the platform arranges what is seen. */
export function menuRoutes(menus: MenuService, access: Access): readonly Route[] {
  return [
    defineRoute({
      method: 'get',
      path: '/permissions/menus',
      summary: 'The navigation, as far as the caller may use it',
      answers: [200, 304],
      schema: { response: menuList },
      async handler({ principal, state }) {
        const items = await menus.treeFor(principal, state.locale)
        const version = versionOfText(JSON.stringify(items))
        return withEtag({ items, version }, version)
      },
    }),
    defineRoute({
      method: 'get',
      path: '/permissions/me',
      summary: 'The caller’s roles and permissions',
      schema: { response: rolesAndPermissions },
      async handler({ principal }) {
        const { roles, permissions, dataScope } = await access.grantsOf(principal.tenantId, principal.userId)
        return { roles, permissions, data_scope: dataScope }
      },
    }),
    ...managementRoutes(menus),
  ]
}
