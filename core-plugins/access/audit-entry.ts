import type { AuditEntry, Writer } from './contract.ts'

/** The line that a write leaves in the log of the writer's tenant. */
export function auditEntry(
  { principal, state }: Writer,
  action: string,
  target: string,
  change: { readonly before?: unknown; readonly after?: unknown },
): AuditEntry {
  return { tenantId: principal.tenantId, actor: principal, action, target, traceId: state.traceId, ...change }
}
