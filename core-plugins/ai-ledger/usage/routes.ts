import { defineRoute, raw, type Route } from '#kernel'
import * as schemas from './schemas.ts'
import type { UsageService } from './service.ts'

const path = '/admin/ai/usage'
const rowsHeader = 'x-export-rows'
const needs = (action: string) => ({ platform: `ai_usage:${action}`, tenant: 'tenant_usage:read' }) as const
const types = {
  csv: 'text/csv; charset=utf-8',
  focus: 'text/csv; charset=utf-8',
  jsonl: 'application/x-ndjson; charset=utf-8',
} as const

/** The endpoints of usage and costs: the platform's over all tenants, a tenant's over its own. */
export function usageRoutes(usage: UsageService): readonly Route[] {
  return [
    defineRoute({
      method: 'get',
      path,
      summary: 'List attempts that reached a provider, newest first',
      permission: needs('read'),
      schema: { query: schemas.usageQuery, response: schemas.usageBody },
      handler: ({ principal, query }) => usage.list(principal, query),
    }),
    defineRoute({
      method: 'get',
      path: `${path}/trends`,
      summary: 'See figures of AI calls by time; empty buckets are there',
      permission: needs('read'),
      schema: { query: schemas.trendQuery, response: schemas.trendBody },
      handler: ({ principal, query }) => usage.trends(principal, query),
    }),
    defineRoute({
      method: 'get',
      path: `${path}/costs`,
      summary: 'See what AI calls cost and for whom',
      permission: needs('costs'),
      schema: { query: schemas.costQuery, response: schemas.costBody },
      handler: ({ principal, query }) => usage.costs(principal, query),
    }),
    defineRoute({
      method: 'get',
      path: `${path}/export`,
      summary: 'Download the ledger of AI calls',
      permission: needs('export'),
      produces: ['text/csv', 'application/x-ndjson'],
      schema: { query: schemas.exportQuery },
      async handler(ctx) {
        const gzip = /\bgzip\b/.test(ctx.header('accept-encoding') ?? '')
        const { content, sent, format, range, count } = await usage.export(ctx.principal, ctx.query, gzip)
        const name = `ai-usage-${range.from.toISOString().slice(0, 10)}.${format === 'jsonl' ? 'jsonl' : 'csv'}`
        const headers = {
          'content-disposition': `attachment; filename="${name}"`,
          'cache-control': 'no-store',
          vary: 'Accept-Encoding',
          ...(gzip && { 'content-encoding': 'gzip' }),
          // Before the rows as after them: many clients do not read trailers.
          [rowsHeader]: String(count),
        }
        const trailers = { names: [rowsHeader], values: () => ({ [rowsHeader]: String(sent()) }) }
        return raw(content, types[format], { headers, trailers })
      },
    }),
  ]
}
