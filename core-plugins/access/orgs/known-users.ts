import type { Knex } from 'knex'
import { UserRole } from '../records/role-models.ts'
import { UserOrg } from '../records/org-models.ts'

/**
 * Which of these users the tenant is known to have: those who hold a role or belong to a node. Users themselves are
 * another plugin's, which stands on this one and takes both away when it deletes one.
 */
export async function knownUsers(tenantId: number, ids: readonly number[], db: Knex): Promise<ReadonlySet<number>> {
  const wanted = [[...ids]]
  const [holders, members] = await Promise.all([
    UserRole.of(tenantId, db).distinct('user_id').whereRaw('user_id = any(?::int[])', wanted),
    UserOrg.of(tenantId, db).distinct('user_id').whereRaw('user_id = any(?::int[])', wanted),
  ])
  return new Set([...holders, ...members].map(({ userId }) => userId))
}
