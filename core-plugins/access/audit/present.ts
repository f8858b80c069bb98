import type { AuditRow } from './models.ts'

/** One line of the log as the wire shows it. */
export function presentAuditRow(row: AuditRow) {
  const { actorScope: scope, actorTenantId, actorId, actingUserId } = row
  return {
    id: Number(row.id),
    actor: scope === null ? null : { scope, tenant_id: actorTenantId, user_id: actorId },
    acting: actingUserId === null ? null : { scope: 'platform', tenant_id: 0, user_id: actingUserId },
    action: row.action,
    target: row.target,
    before: row.before,
    after: row.after,
    trace_id: row.traceId,
    created_at: row.createdAt.toISOString(),
  }
}
