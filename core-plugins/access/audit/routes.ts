import { cursorQuery, defineRoute, readCursor, type Route } from '#kernel'
import type { AuditLog } from './service.ts'

const query = {
  type: 'object',
  properties: {
    ...cursorQuery,
    action: { type: 'string', maxLength: 200 },
    target: { type: 'string', maxLength: 200 },
    actor_id: { type: 'integer', minimum: 1, maximum: 2147483647 },
  },
} as const

const response = {
  type: 'object',
  required: ['items', 'next_cursor', 'has_more'],
  properties: {
    items: {
      type: 'array',
      items: {
        type: 'object',
        required: ['id', 'actor', 'action', 'target', 'before', 'after', 'trace_id', 'created_at'],
        properties: {
          id: { type: 'integer' },
          actor: { type: ['object', 'null'] },
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
  return areas.map((area) =>
    defineRoute({
      ...area,
      method: 'get',
      summary: 'Read the log of administrative writes, newest first',
      schema: { query, response },
      handler: (ctx) => log.list(ctx.principal.tenantId, readCursor(ctx.query), ctx.query),
    }),
  )
}
