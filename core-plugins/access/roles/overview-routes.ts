import { defineRoute, readPage, type Route } from '#kernel'
import { objectOf } from '#kernel/schemas'
import { listPermissions } from './permission-list.ts'
import type { RoleArea } from './role-area.ts'
import { listHolders } from './role-holders.ts'
import { RolePreviews, type PreviewParts } from './role-preview.ts'
import { holderQuery, permissionResource, roleDraft, roleHolders, roleImpact, roleParams } from './schemas.ts'
import type { MenuService } from '../menus/menu-service.ts'

const permissionList = objectOf({ items: { type: 'array', items: permissionResource } })

/** The endpoints that tell who holds a role of an area, what its roles may be given, and what one would do. */
export function overviewRoutes(
  parts: Parameters<typeof listHolders>[0] & Parameters<typeof listPermissions>[0] & PreviewParts,
  menus: MenuService,
  area: RoleArea,
): readonly Route[] {
  const { auth, path, resource } = area
  const previews = new RolePreviews(parts, menus, area)
  return [
    defineRoute({
      method: 'get',
      path: `${path}/{role_id}/users`,
      auth,
      summary: 'List the holders of a role',
      permission: `${resource}:detail`,
      schema: { params: roleParams, query: holderQuery, response: roleHolders },
      handler: ({ principal, params, query }) =>
        listHolders(parts, principal, params.role_id, { page: readPage(query, ['user_id']), userId: query.user_id }),
    }),
    defineRoute({
      method: 'get',
      path: path.replace(/roles$/, 'permissions'),
      auth,
      summary: 'Read what roles may be given, by resource',
      permission: `${resource}:list`,
      schema: { response: permissionList },
      handler: ({ principal, state }) => listPermissions(parts, principal, state.locale),
    }),
    defineRoute({
      method: 'post',
      path: `${path}/preview`,
      auth,
      summary: 'Read what a role would do, without a change',
      permission: `${resource}:detail`,
      schema: { body: roleDraft, response: roleImpact },
      handler: ({ principal, body, state }) => previews.preview(principal, body, state.locale),
    }),
  ]
}
