import { cursorQuery, defineRoute, periodQuery, raw, readCursor, type Route } from '#kernel'
import { auditCsv } from './csv.ts'
import { actionList, auditPart } from './schemas.ts'
import type { AuditLog } from './service.ts'

const id = { type: 'integer', minimum: 1, maximum: 2147483647 } as const
const filters = {
  ...periodQuery,
  id: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: 'Only the line with this id' },
  action: { type: 'string', maxLength: 200, description: 'Only this action' },
  target: { type: 'string', maxLength: 200, description: 'Only what was done to this' },
  target_prefix: { type: 'string', maxLength: 200, description: 'Only what was done to those that begin so' },
  q: { type: 'string', maxLength: 200, description: 'Only lines whose action or target contains this' },
  actor_id: { ...id, description: 'Only what the user with this id did' },
  acting_id: { ...id, description: 'An administrator of the platform who acted in another’s place' },
  trace_id: { type: 'string', maxLength: 200, description: 'Only those of this request' },
} as const
const query = { type: 'object', properties: { ...cursorQuery, ...filters } } as const
const exportQuery = { type: 'object', properties: filters } as const

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
      schema: { query, response: auditPart },
      handler: (ctx) => log.list(ctx.principal.tenantId, readCursor(ctx.query), ctx.query, ctx.state.locale),
    }),
  )
  const actions = areas.map((area) =>
    defineRoute({
      ...area,
      path: `${area.path}/actions`,
      method: 'get',
      summary: 'List the actions that stand in the log, to search it by',
      schema: { response: actionList },
      handler: async (ctx) => ({ items: [...(await log.actions(ctx.principal.tenantId))] }),
    }),
  )
  const downloads = areas.map(({ path, auth }) =>
    defineRoute({
      auth,
      method: 'get',
      path: `${path}/export`,
      summary: 'Download the log of administrative writes as CSV, newest first',
      permission: `${auth}_audit:export`,
      answers: [{ types: ['text/csv'] }],
      schema: { query: exportQuery },
      handler(ctx) {
        const name = `audit-${new Date().toISOString().slice(0, 10)}.csv`
        const headers = { 'content-disposition': `attachment; filename="${name}"`, 'cache-control': 'no-store' }
        return raw(auditCsv(log.all(ctx.principal.tenantId, ctx.query)), 'text/csv; charset=utf-8', { headers })
      },
    }),
  )
  return [...lists, ...actions, ...downloads]
}
