import { deletedBody, created, defineRoute, readPage, type Principal, type Route } from '#kernel'
import type { RoleArea } from './role-area.ts'
import { newRole, roleBody, roleChange, rolePage, roleParams, roleQuery } from './schemas.ts'
import type { RoleService } from './service.ts'

const sortable = ['id', 'code', 'name', 'status', 'created_at', 'updated_at']

/** The endpoints of one area's roles. */
export function roleRoutes(roles: RoleService, { path, auth, resource }: RoleArea): readonly Route[] {
  const tenantOf = ({ tenantId }: Principal): number => tenantId
  return [
    defineRoute({
      method: 'get',
      path,
      auth,
      summary: 'List roles',
      permission: `${resource}:list`,
      schema: { query: roleQuery, response: rolePage },
      handler: ({ principal, query }) => roles.list(tenantOf(principal), readPage(query, sortable), query),
    }),
    defineRoute({
      method: 'post',
      path,
      auth,
      summary: 'Create a role',
      permission: `${resource}:create`,
      answers: [201],
      schema: { body: newRole, response: roleBody },
      errors: [4031, 4091],
      handler: async (ctx) => created(await roles.create(tenantOf(ctx.principal), ctx.body, ctx)),
    }),
    defineRoute({
      method: 'get',
      path: `${path}/{role_id}`,
      auth,
      summary: 'Read a role with its permissions',
      permission: `${resource}:detail`,
      schema: { params: roleParams, response: roleBody },
      handler: ({ principal, params }) => roles.get(tenantOf(principal), params.role_id),
    }),
    defineRoute({
      method: 'put',
      path: `${path}/{role_id}`,
      auth,
      summary: 'Change a role',
      permission: `${resource}:update`,
      schema: { params: roleParams, body: roleChange, response: roleBody },
      errors: [4031, 4094],
      handler: (ctx) => roles.update(tenantOf(ctx.principal), ctx.params.role_id, ctx.body, ctx),
    }),
    defineRoute({
      method: 'delete',
      path: `${path}/{role_id}`,
      auth,
      summary: 'Delete a role that nobody holds',
      permission: `${resource}:delete`,
      schema: { params: roleParams, response: deletedBody },
      errors: [4094, 4095],
      handler: async (ctx) => {
        await roles.delete(tenantOf(ctx.principal), ctx.params.role_id, ctx)
        return { deleted: true }
      },
    }),
  ]
}
