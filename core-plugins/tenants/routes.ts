import { deletedBody, created, defineRoute, readIds, readPage, type Route } from '#kernel'
import { presentTenant, presentWithFigures } from './present.ts'
import { madeTenant, newTenant, tenantChange, tenantDetail, tenantPage, tenantParams, tenantQuery } from './schemas.ts'
import type { TenantService } from './service.ts'

const sortable = ['-created_at', 'id', 'code', 'name', 'status']
const path = '/admin/tenants'

/** The endpoints of tenants, for the platform. */
export function tenantRoutes(tenants: TenantService): readonly Route[] {
  return [
    defineRoute({
      method: 'get',
      path,
      auth: 'platform',
      summary: 'List tenants',
      permission: 'platform_tenant:list',
      schema: { query: tenantQuery, response: tenantPage },
      handler: ({ query }) => tenants.page(readPage(query, sortable), { ...query, ids: readIds(query.ids) }),
    }),
    defineRoute({
      method: 'post',
      path,
      auth: 'platform',
      summary: 'Create a tenant with its owner',
      permission: 'platform_tenant:create',
      answers: [201],
      schema: { body: newTenant, response: madeTenant },
      errors: [4091, 4097, 4223, 4228],
      async handler({ body, principal, state }) {
        const { owner, ...tenant } = await tenants.create(body, principal, state.traceId)
        return created({ ...presentTenant(tenant), owner })
      },
    }),
    defineRoute({
      method: 'get',
      path: `${path}/{tenant_id}`,
      auth: 'platform',
      summary: 'Read a tenant',
      permission: 'platform_tenant:detail',
      schema: { params: tenantParams, response: tenantDetail },
      handler: async ({ params }) => presentWithFigures(await tenants.detail(params.tenant_id)),
    }),
    defineRoute({
      method: 'put',
      path: `${path}/{tenant_id}`,
      auth: 'platform',
      summary: 'Change, disable or enable a tenant',
      permission: 'platform_tenant:update',
      schema: { params: tenantParams, body: tenantChange, response: tenantDetail },
      errors: [4018, 4031, 4091, 4097, 4228],
      async handler(ctx) {
        const { expires_at: end, ...change } = ctx.body
        const expiresAt = typeof end === 'string' ? new Date(end) : end
        const { id } = await tenants.update(ctx.params.tenant_id, { ...change, expiresAt }, ctx)
        return presentWithFigures(await tenants.detail(id))
      },
    }),
    defineRoute({
      method: 'delete',
      path: `${path}/{tenant_id}`,
      auth: 'platform',
      summary: 'Delete a tenant: nobody reaches it any more, and its data are erased in the background',
      permission: 'platform_tenant:delete',
      schema: { params: tenantParams, response: deletedBody },
      async handler(ctx) {
        await tenants.delete(ctx.params.tenant_id, ctx)
        return { deleted: true }
      },
    }),
  ]
}
