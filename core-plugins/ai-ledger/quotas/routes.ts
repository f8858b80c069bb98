import { created, defineRoute, readPage, withEtag, type Route } from '#kernel'
import { newReset, resetBody, usageBody, usageQuery } from './bucket-schemas.ts'
import type { BucketService } from './bucket-service.ts'
import * as schemas from './schemas.ts'
import type { QuotaService } from './service.ts'

const path = '/admin/ai/quotas'
const sortable = ['-created_at', 'name', 'metric', 'status', 'updated_at']
const { quotaParams: params, quotaBody: response } = schemas
const needs = (action: string, tenants = action) =>
  ({ platform: `ai_quota:${action}`, tenant: `tenant_ai_quota:${tenants}` }) as const

/** The endpoints of quotas: the platform's over all tenants, a tenant's over its own. */
export function quotaRoutes(quotas: QuotaService, buckets: BucketService): readonly Route[] {
  return [
    defineRoute({
      method: 'get',
      path,
      summary: 'List quotas of AI calls',
      permission: needs('list'),
      schema: { query: schemas.quotaQuery, response: schemas.quotaPage },
      handler: ({ principal, query }) => quotas.list(principal, readPage(query, sortable), query),
    }),
    defineRoute({
      method: 'post',
      path,
      summary: 'Set a quota of AI calls',
      permission: needs('create'),
      answers: [201],
      schema: { body: schemas.newQuota, response },
      errors: [4040, 4229],
      handler: async (ctx) => created(await quotas.create(ctx.body, ctx)),
    }),
    defineRoute({
      method: 'get',
      path: `${path}/{quota_id}`,
      summary: 'Read a quota',
      permission: needs('detail', 'list'),
      answers: [200, 304],
      schema: { params, response },
      errors: [4040],
      handler: async ({ principal, params: { quota_id: id } }) => tagged(await quotas.get(principal, id)),
    }),
    defineRoute({
      method: 'put',
      path: `${path}/{quota_id}`,
      summary: 'Change or suspend a quota; what is absent stays, and what it counts cannot be changed',
      permission: needs('update'),
      schema: { params, body: schemas.quotaChange, response },
      errors: [4031, 4040, 4120, 4229],
      handler: async (ctx) => tagged(await quotas.update(ctx.params.quota_id, ctx.body, ctx)),
    }),
    defineRoute({
      method: 'get',
      path: `${path}/{quota_id}/usage`,
      summary: 'See how much of a quota is used, by bucket, now and in windows before',
      permission: needs('usage', 'list'),
      schema: { params, query: usageQuery, response: usageBody },
      errors: [4040],
      handler: ({ principal, params: { quota_id: id }, query }) => buckets.usage(principal, id, query),
    }),
    defineRoute({
      method: 'post',
      path: `${path}/{quota_id}/reset`,
      summary: 'Set what is used of a bucket; what is held stays held',
      permission: needs('reset'),
      schema: { params, body: newReset, response: resetBody },
      errors: [4031, 4040, 4229],
      handler: (ctx) => buckets.reset(ctx.params.quota_id, ctx.body, ctx),
    }),
  ]
}

function tagged(quota: Awaited<ReturnType<QuotaService['get']>>) {
  return withEtag(quota, String(quota.version))
}
