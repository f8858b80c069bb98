import type { AuditRow } from './models.ts'

/** One line of the log as the wire shows it. */
export function presentAuditRow(row: AuditRow) {
  const { actorScope: scope, actorTenantId, actorId } = row
  return {
    id: Number(row.id),
    actor: scope === null ? null : { scope, tenant_id: actorTenantId, user_id: actorId },
    action: row.action,
    target: row.target,
    before: row.before,
    after: row.after,
    trace_id: row.traceId,
    created_at: row.createdAt.toISOString(),
  }
}
