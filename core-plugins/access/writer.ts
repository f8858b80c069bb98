import type { Principal, RequestState } from '#kernel'
import type { AuditEntry } from './contract.ts'

/** Who writes, for the checks and the log. */
export interface Writer {
  readonly principal: Principal
  readonly state: RequestState
}

/** The line that a write leaves in the log of the writer's tenant. */
export function auditEntry(
  { principal, state }: Writer,
  action: string,
  target: string,
  change: { readonly before?: unknown; readonly after?: unknown },
): AuditEntry {
  return { tenantId: principal.tenantId, actor: principal, action, target, traceId: state.traceId, ...change }
}
