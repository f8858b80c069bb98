import { cursorQuery, defineRoute, periodQuery, raw, readCursor, type Route } from '#kernel'
import { auditCsv } from './csv.ts'
import type { AuditLog } from './service.ts'

const id = { type: 'integer', minimum: 1, maximum: 2147483647 } as const
const filters = {
  ...periodQuery,
  action: { type: 'string', maxLength: 200, description: 'Only this action' },
  target: { type: 'string', maxLength: 200, description: 'Only what was done to this' },
  actor_id: { ...id, description: 'Only what the user with this id did' },
  acting_id: { ...id, description: 'An administrator of the platform who acted in another’s place' },
  trace_id: { type: 'string', maxLength: 200, description: 'Only those of this request' },
} as const
const query = { type: 'object', properties: { ...cursorQuery, ...filters } } as const
const exportQuery = { type: 'object', properties: filters } as const

const response = {
  type: 'object',
  required: ['items', 'next_cursor', 'has_more'],
  properties: {
    items: {
      type: 'array',
      items: {
        type: 'object',
        required: ['id', 'actor', 'acting', 'action', 'target', 'before', 'after', 'trace_id', 'created_at'],
        properties: {
          id: { type: 'integer' },
          actor: { type: ['object', 'null'] },
          acting: { type: ['object', 'null'] },
          action: { type: 'string' },
          target: { type: 'string' },
          before: {},
          after: {},
          trace_id: { type: ['string', 'null'] },
          created_at: { type: 'string' },
        },
      },
    },
    next_cursor: { type: ['string', 'null'] },
    has_more: { type: 'boolean' },
  },
} as const

/** The endpoints of the log. */
export function auditRoutes(log: AuditLog): readonly Route[] {
  const areas = [
    { path: '/admin/audit-logs', auth: 'platform', permission: 'platform_audit:list' },
    { path: '/tenant/audit-logs', auth: 'tenant', permission: 'tenant_audit:list' },
  ] as const
  const lists = areas.map((area) =>
    defineRoute({
      ...area,
      method: 'get',
      summary: 'Read the log of administrative writes, newest first',
      schema: { query, response },
      handler: (ctx) => log.list(ctx.principal.tenantId, readCursor(ctx.query), ctx.query),
    }),
  )
  const download = defineRoute({
    method: 'get',
    path: '/admin/audit-logs/export',
    auth: 'platform',
    summary: 'Download the platform’s log of administrative writes as CSV, newest first',
    permission: 'platform_audit:export',
    answers: [{ types: ['text/csv'] }],
    schema: { query: exportQuery },
    handler(ctx) {
      const name = `audit-${new Date().toISOString().slice(0, 10)}.csv`
      const headers = { 'content-disposition': `attachment; filename="${name}"`, 'cache-control': 'no-store' }
      return raw(auditCsv(log.all(ctx.principal.tenantId, ctx.query)), 'text/csv; charset=utf-8', { headers })
    },
  })
  return [...lists, download]
}
