import { defineRoute, type Route } from '#kernel'
import type { OrgRoles } from './org-roles.ts'
import { orgParams, orgRoles } from './schemas.ts'

const path = '/tenant/orgs/{org_id}/roles'

const bindings = {
  type: 'object',
  additionalProperties: false,
  required: ['roles'],
  properties: {
    roles: {
      type: 'array',
      maxItems: 20,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['code'],
        properties: { code: { type: 'string', minLength: 1, maxLength: 64 }, inherit: { type: 'boolean' } },
      },
    },
  },
} as const

/** The endpoints of the roles that nodes give. */
export function orgRoleRoutes(roles: OrgRoles): readonly Route[] {
  return [
    defineRoute({
      method: 'get',
      path,
      auth: 'tenant',
      summary: 'Read which roles an organisation node gives its members, and which come from above',
      permission: 'tenant_org:detail',
      schema: { params: orgParams, response: orgRoles },
      handler: (ctx) => roles.list(ctx, ctx.params.org_id),
    }),
    defineRoute({
      method: 'put',
      path,
      auth: 'tenant',
      summary: 'Say which roles an organisation node gives its members',
      permission: 'tenant_org:update',
      schema: { params: orgParams, body: bindings, response: orgRoles },
      errors: [4002, 4031],
      handler: (ctx) => roles.replace(ctx.params.org_id, ctx.body.roles, ctx),
    }),
  ]
}
