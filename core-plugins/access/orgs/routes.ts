import { created, defineRoute, deletedBody, readPage, type Route } from '#kernel'
import { moveOrg } from './move-org.ts'
import type { OrgParts, OrgService } from './org-service.ts'
import {
  newOrg,
  orgBody,
  orgChange,
  orgDetail,
  orgDetailQuery,
  orgList,
  orgMove,
  orgParams,
  orgQuery,
} from './schemas.ts'

const sortable = ['sort', 'name', 'code', 'id', 'created_at']
const path = '/tenant/orgs'
const one = `${path}/{org_id}`

/** The endpoints of the tree. */
export function orgRoutes(orgs: OrgService, parts: OrgParts): readonly Route[] {
  return [
    defineRoute({
      method: 'get',
      path,
      auth: 'tenant',
      summary: 'Read the organisation: the whole tree up to 500 nodes, otherwise level by level',
      permission: 'tenant_org:list',
      schema: { query: orgQuery, response: orgList },
      handler: ({ principal, query }) => orgs.list(principal, readPage(query, sortable), query),
    }),
    defineRoute({
      method: 'post',
      path,
      auth: 'tenant',
      summary: 'Create an organisation node',
      permission: 'tenant_org:create',
      answers: [201],
      schema: { body: newOrg, response: orgBody },
      errors: [4002, 4031, 4091],
      handler: async (ctx) => created(await orgs.create(ctx.body, ctx)),
    }),
    defineRoute({
      method: 'get',
      path: one,
      auth: 'tenant',
      summary: 'Read an organisation node',
      permission: 'tenant_org:detail',
      schema: { params: orgParams, query: orgDetailQuery, response: orgDetail },
      handler: ({ principal, params, query }) => orgs.get(principal, params.org_id, query.counts),
    }),
    defineRoute({
      method: 'put',
      path: one,
      auth: 'tenant',
      summary: 'Change an organisation node',
      permission: 'tenant_org:update',
      schema: { params: orgParams, body: orgChange, response: orgBody },
      errors: [4031, 4091],
      handler: (ctx) => orgs.update(ctx.params.org_id, ctx.body, ctx),
    }),
    defineRoute({
      method: 'delete',
      path: one,
      auth: 'tenant',
      summary: 'Delete an organisation node without nodes below it and without members',
      permission: 'tenant_org:delete',
      schema: { params: orgParams, response: deletedBody },
      errors: [4031, 4095],
      handler: async (ctx) => {
        await orgs.delete(ctx.params.org_id, ctx)
        return { deleted: true }
      },
    }),
    defineRoute({
      method: 'post',
      path: `${one}/move`,
      auth: 'tenant',
      summary: 'Move an organisation node with everything below it',
      permission: 'tenant_org:move',
      schema: { params: orgParams, body: orgMove, response: orgBody },
      errors: [4002, 4031, 4096],
      handler: (ctx) => moveOrg(parts, ctx.params.org_id, ctx.body, ctx),
    }),
  ]
}
