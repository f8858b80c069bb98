import { defineRoute, deletedBody, type Route } from '#kernel'
import type { MenuService } from './menu-service.ts'
import { managedList, menuChange, menuParams } from './schemas.ts'

/** The endpoints that show every entry and arrange them. */
export function managementRoutes(menus: MenuService): readonly Route[] {
  return [
    defineRoute({
      method: 'get',
      path: '/admin/menus',
      auth: 'platform',
      summary: 'Read every entry of the navigation, of administrators, tenants and users',
      permission: 'platform_menu:list',
      schema: { response: managedList },
      handler: async ({ state }) => ({ items: await menus.wholeTree(['admin', 'tenant', 'user'], state.locale) }),
    }),
    defineRoute({
      method: 'get',
      path: '/tenant/menus',
      auth: 'tenant',
      summary: 'Read every entry of the navigation of tenants and users',
      permission: 'tenant_menu:list',
      schema: { response: managedList },
      handler: async ({ state }) => ({ items: await menus.wholeTree(['tenant', 'user'], state.locale) }),
    }),
    defineRoute({
      method: 'put',
      path: '/admin/menus/{name}',
      auth: 'platform',
      summary: 'Hide, order, name or move an entry of the navigation',
      permission: 'platform_menu:update',
      schema: { params: menuParams, body: menuChange, response: managedList },
      errors: [4096],
      async handler(ctx) {
        await menus.update(ctx.params.name, ctx.body, ctx)
        return { items: await menus.wholeTree(['admin', 'tenant', 'user'], ctx.state.locale) }
      },
    }),
    defineRoute({
      method: 'delete',
      path: '/admin/menus/{name}',
      auth: 'platform',
      summary: 'Put an entry of the navigation back to what its plugin declared',
      permission: 'platform_menu:update',
      schema: { params: menuParams, response: deletedBody },
      async handler(ctx) {
        await menus.reset(ctx.params.name, ctx)
        return { deleted: true }
      },
    }),
  ]
}
