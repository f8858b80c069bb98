import type { UserNames } from '../user-names.ts'
import type { AuditRow } from './models.ts'
import { presentAuditRow } from './present.ts'

/** Lines of the log with the names of who did it, asked for once a tenant and not once a line, and of what it was done to. */
export async function nameLines(rows: readonly AuditRow[], names: UserNames, targets: ReadonlyMap<string, string>) {
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
    const targetName = targets.get(row.target) ?? nameIn(row.after) ?? nameIn(row.before) ?? null
    return { ...line, actor: named(line.actor), acting: named(line.acting), target_name: targetName }
  })
}

const nameFields = ['name', 'nickname', 'title', 'display_name', 'account', 'code'] as const

/** What is gone is called as it was in the line itself. */
function nameIn(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const fields = new Map(Object.entries(value))
  return nameFields
    .map((field): unknown => fields.get(field))
    .find((name) => typeof name === 'string' && name !== '') as string | undefined
}
