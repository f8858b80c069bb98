import { defineRoute, deletedBody, readPage, tenantNeeds, type Route } from '#kernel'
import { sortable } from './attachment-list.ts'
import type { AttachmentService } from './attachment-service.ts'
import * as schemas from './schemas.ts'

const { attachmentParams: params } = schemas
const read = tenantNeeds('user_attachment:read')

/** Records of attachments: one's own, a tenant's, everybody's. */
export function recordRoutes(attachments: AttachmentService): readonly Route[] {
  return [...ownRoutes(attachments), ...tenantRoutes(attachments), ...platformRoutes(attachments)]
}

function ownRoutes(attachments: AttachmentService): readonly Route[] {
  return [
    defineRoute({
      method: 'get',
      path: '/attachments',
      summary: 'List one’s attachments',
      admit: read,
      schema: { query: schemas.ownQuery, response: schemas.attachmentPage },
      handler: ({ principal, tenant, query }) =>
        attachments.listOwn(principal, tenant, readPage(query, sortable), query),
    }),
    defineRoute({
      method: 'get',
      path: '/attachments/{id}',
      summary: 'Read an attachment: one’s own, or one that is open to one',
      admit: read,
      schema: { params, response: schemas.attachmentBody },
      errors: [4045],
      async handler({ principal, tenant, params: { id } }) {
        return attachments.present(await attachments.get(principal, id), tenant)
      },
    }),
    defineRoute({
      method: 'delete',
      path: '/attachments/{id}',
      summary: 'Delete one of one’s attachments',
      admit: tenantNeeds('user_attachment:delete'),
      schema: { params, response: deletedBody },
      errors: [4031, 4045, 4095],
      async handler({ principal, params: { id } }) {
        await attachments.deleteOwn(principal, id)
        return { deleted: true }
      },
    }),
  ]
}

function tenantRoutes(attachments: AttachmentService): readonly Route[] {
  return [
    defineRoute({
      method: 'get',
      path: '/tenant/attachments',
      auth: 'tenant',
      summary: 'List the tenant’s attachments',
      permission: 'tenant_attachment:list',
      schema: { query: schemas.tenantQuery, response: schemas.ownedPage },
      handler: ({ principal, tenant, query }) =>
        attachments.listTenant(principal, tenant, readPage(query, sortable), query),
    }),
    defineRoute({
      method: 'get',
      path: '/tenant/attachments/{id}',
      auth: 'tenant',
      summary: 'Read an attachment of the tenant',
      permission: 'tenant_attachment:list',
      schema: { params, response: schemas.ownedBody },
      errors: [4045],
      handler: ({ principal, tenant, params: { id } }) => attachments.getScoped(principal, tenant, id),
    }),
    defineRoute({
      method: 'delete',
      path: '/tenant/attachments/{id}',
      auth: 'tenant',
      summary: 'Delete an attachment of the tenant',
      permission: 'tenant_attachment:delete',
      schema: { params, response: deletedBody },
      errors: [4031, 4045, 4095],
      async handler(ctx) {
        await attachments.deleteScoped(ctx, ctx.params.id)
        return { deleted: true }
      },
    }),
  ]
}

function platformRoutes(attachments: AttachmentService): readonly Route[] {
  return [
    defineRoute({
      method: 'get',
      path: '/admin/attachments',
      auth: 'platform',
      summary: 'List the attachments of the platform and of tenants',
      permission: 'platform_attachment:list',
      schema: { query: schemas.platformQuery, response: schemas.everyPage },
      handler: ({ query }) => attachments.listAll(readPage(query, sortable), query),
    }),
    defineRoute({
      method: 'delete',
      path: '/admin/attachments/{id}',
      auth: 'platform',
      summary: 'Delete an attachment of anybody',
      permission: 'platform_attachment:delete',
      schema: { params, response: deletedBody },
      errors: [4045, 4095],
      async handler(ctx) {
        await attachments.deleteAny(ctx, ctx.params.id)
        return { deleted: true }
      },
    }),
  ]
}
