import type { UserNames } from '../user-names.ts'
import type { AuditRow } from './models.ts'
import { presentAuditRow } from './present.ts'

/** Lines of the log with the names of who did it, asked for once a tenant and not once a line. */
export async function nameLines(rows: readonly AuditRow[], names: UserNames) {
  const people = new Map<number, Set<number>>()
  const ask = (tenantId: number | null, userId: number | null) => {
    if (tenantId === null || userId === null) return
    people.set(tenantId, (people.get(tenantId) ?? new Set()).add(userId))
  }
  for (const { actorTenantId, actorId, actingUserId } of rows) {
    ask(actorTenantId, actorId)
    ask(0, actingUserId)
  }
  const found = new Map(
    await Promise.all(
      [...people].map(async ([tenantId, ids]) => [tenantId, await names.of(tenantId, [...ids])] as const),
    ),
  )
  const named = <A extends { tenant_id: number | null; user_id: number | null } | null>(actor: A) =>
    actor && { ...actor, name: found.get(actor.tenant_id ?? -1)?.get(actor.user_id ?? -1)?.nickname ?? null }
  return rows.map((row) => {
    const line = presentAuditRow(row)
    return { ...line, actor: named(line.actor), acting: named(line.acting) }
  })
}
