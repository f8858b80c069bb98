import { defineRoute, deletedBody, pageOf, pageQuery, readPage, type Route } from '#kernel'
import type { MarkupService } from './service.ts'

const path = '/admin/ai/gateway/markups'
const sortable = ['-updated_at', 'tenant_id']
const tenant = { type: 'integer', minimum: 1, maximum: 2_147_483_647 } as const
const factor = {
  type: 'string',
  pattern: '^[0-9]{1,3}(\\.[0-9]{1,6})?$',
  description: 'What is charged for what costs 1: 1.15 is 15 percent more, 0.9 a tenth less',
} as const
const params = { type: 'object', required: ['tenant_id'], properties: { tenant_id: tenant } } as const
const markup = {
  type: 'object',
  additionalProperties: false,
  required: ['tenant_id', 'factor', 'updated_at'],
  properties: { tenant_id: tenant, factor, updated_at: { type: 'string' } },
} as const

/** The endpoints of what tenants pay for the platform's models: the platform's alone. */
export function markupRoutes(markups: MarkupService): readonly Route[] {
  return [
    defineRoute({
      method: 'get',
      path,
      summary: 'List the tenants that pay another price for the platform’s models than what those cost',
      auth: 'platform',
      permission: 'ai_gateway:detail',
      schema: { query: { type: 'object', properties: pageQuery }, response: pageOf(markup) },
      handler: ({ query }) => markups.list(readPage(query, sortable)),
    }),
    defineRoute({
      method: 'put',
      path: `${path}/{tenant_id}`,
      summary: 'Set what a tenant pays for the platform’s models, from the next call on',
      auth: 'platform',
      permission: 'ai_gateway:update',
      schema: {
        params,
        body: { type: 'object', additionalProperties: false, required: ['factor'], properties: { factor } },
        response: markup,
      },
      errors: [4229],
      handler: (ctx) => markups.set(ctx.params.tenant_id, ctx.body.factor, ctx),
    }),
    defineRoute({
      method: 'delete',
      path: `${path}/{tenant_id}`,
      summary: 'Have a tenant pay what the platform’s models cost',
      auth: 'platform',
      permission: 'ai_gateway:update',
      schema: { params, response: deletedBody },
      errors: [4040],
      async handler(ctx) {
        await markups.delete(ctx.params.tenant_id, ctx)
        return { deleted: true }
      },
    }),
  ]
}
