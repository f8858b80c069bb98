import { defineRoute, deletedBody, pageOf, pageQuery, readPage, type Route } from '#kernel'
import type { OrgMembers } from './org-members.ts'
import { memberParams, orgMember, orgParams } from './schemas.ts'

const path = '/tenant/orgs/{org_id}/members'

const id = { type: 'integer', minimum: 1, maximum: 2147483647 } as const
const query = {
  type: 'object',
  properties: {
    ...pageQuery,
    with_children: { type: 'boolean', description: 'With the members of the nodes below' },
    user_id: { ...id, description: 'Only the user with this id' },
    org_id: { ...id, description: 'One of the nodes below, with the children' },
    is_primary: { type: 'boolean', description: 'Only members whose main node it is, or only the others' },
  },
} as const
const users = {
  type: 'object',
  additionalProperties: false,
  required: ['user_ids'],
  properties: {
    user_ids: {
      type: 'array',
      minItems: 1,
      maxItems: 100,
      uniqueItems: true,
      items: { type: 'integer', minimum: 1, maximum: 2147483647 },
    },
    is_primary: { type: 'boolean' },
  },
} as const
const added = {
  type: 'object',
  required: ['user_ids'],
  properties: { user_ids: { type: 'array', items: { type: 'integer' } } },
} as const

/** The endpoints of nodes' members. */
export function memberRoutes(members: OrgMembers): readonly Route[] {
  return [
    defineRoute({
      method: 'get',
      path,
      auth: 'tenant',
      summary: 'List the members of an organisation node',
      permission: 'tenant_org:detail',
      schema: { params: orgParams, query, response: pageOf(orgMember) },
      handler: ({ principal, params, query }) =>
        members.list(principal, params.org_id, readPage(query, ['user_id']), query),
    }),
    defineRoute({
      method: 'put',
      path,
      auth: 'tenant',
      summary: 'Add users to an organisation node',
      permission: 'tenant_org:update',
      schema: { params: orgParams, body: users, response: added },
      errors: [4002, 4031],
      async handler(ctx) {
        const { user_ids: userIds, is_primary: asPrimary = false } = ctx.body
        await members.add(ctx.params.org_id, userIds, asPrimary, ctx)
        return { user_ids: userIds }
      },
    }),
    defineRoute({
      method: 'delete',
      path: `${path}/{user_id}`,
      auth: 'tenant',
      summary: 'Take a user from an organisation node',
      permission: 'tenant_org:update',
      schema: { params: memberParams, response: deletedBody },
      errors: [4031],
      async handler(ctx) {
        await members.remove(ctx.params.org_id, ctx.params.user_id, ctx)
        return { deleted: true }
      },
    }),
  ]
}
