import { deletedBody, created, defineRoute, readPage, type Route } from '#kernel'
import { newUser, userBody, userChange, userPage, userParams, userQuery } from './schemas.ts'
import type { UserService } from './service.ts'

const sortable = ['-created_at', 'id', 'account', 'email', 'nickname', 'status', 'last_login_at']
const areas = [
  { auth: 'platform', path: '/admin/users', resource: 'platform_user' },
  { auth: 'tenant', path: '/tenant/users', resource: 'tenant_user' },
] as const

/** The endpoints of users, the platform's and a tenant's. */
export function userRoutes(users: UserService): readonly Route[] {
  return areas.flatMap(({ auth, path, resource }) => [
    defineRoute({
      method: 'get',
      path,
      auth,
      summary: 'List users',
      permission: `${resource}:list`,
      schema: { query: userQuery, response: userPage },
      handler: ({ principal, query }) => users.list(principal, readPage(query, sortable), query),
    }),
    defineRoute({
      method: 'post',
      path,
      auth,
      summary: 'Create a user',
      permission: `${resource}:create`,
      answers: [201],
      schema: { body: newUser, response: userBody },
      errors: [4031, 4091, 4223],
      async handler(ctx) {
        const { org_ids: orgIds, ...user } = ctx.body
        return created(await users.create({ ...user, orgIds }, ctx))
      },
    }),
    defineRoute({
      method: 'get',
      path: `${path}/{user_id}`,
      auth,
      summary: 'Read a user',
      permission: `${resource}:detail`,
      schema: { params: userParams, response: userBody },
      handler: ({ principal, params }) => users.get(principal, params.user_id),
    }),
    defineRoute({
      method: 'put',
      path: `${path}/{user_id}`,
      auth,
      summary: 'Change a user',
      permission: `${resource}:update`,
      schema: { params: userParams, body: userChange, response: userBody },
      errors: [4031, 4091, 4094],
      handler(ctx) {
        const {
          status,
          roles,
          add_roles: addRoles,
          remove_roles: removeRoles,
          org_ids: orgIds,
          avatar_url: avatarUrl,
          avatar_attachment_id: picture,
          ...names
        } = ctx.body
        const given = { roles, addRoles, removeRoles, orgIds }
        const change = { patch: { ...names, avatarUrl }, avatarAttachmentId: picture, status, ...given }
        return users.update(ctx.params.user_id, change, ctx)
      },
    }),
    defineRoute({
      method: 'delete',
      path: `${path}/{user_id}`,
      auth,
      summary: 'Delete a user',
      permission: `${resource}:delete`,
      schema: { params: userParams, response: deletedBody },
      errors: [4031, 4094],
      async handler(ctx) {
        await users.delete(ctx.params.user_id, ctx)
        return { deleted: true }
      },
    }),
  ])
}
