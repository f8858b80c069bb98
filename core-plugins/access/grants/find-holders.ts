import type { Knex } from 'knex'
import { lockTree } from '../records/lock-tree.ts'
import { membersWith } from '../records/roles-through.ts'
import { Role, UserRole } from '../records/role-models.ts'
import { isHeldInPerson } from '../records/system-roles.ts'

/** Users who hold a role, by gift or through the organisation, sorted. */
export async function findHolders(tenantId: number, roleCode: string, db: Knex): Promise<readonly number[]> {
  const role = await Role.of(tenantId, db).findOne({ code: roleCode })
  if (!role) return []
  const rows = await UserRole.of(tenantId, db).where('role_id', role.id)
  const members = isBindable(tenantId, roleCode) ? await membersWith(tenantId, role.id, db) : []
  return [...new Set([...rows.map(({ userId }) => userId), ...members])].sort((a, b) => a - b)
}

/** The first who was given a role in person, by tenant. */
export async function firstHolders(
  tenantIds: readonly number[],
  roleCode: string,
  db: Knex,
): Promise<ReadonlyMap<number, number>> {
  const rows = (await UserRole.acrossTenants(db)
    .join('access_roles as role', 'role.id', 'access_user_roles.role_id')
    .where('role.code', roleCode)
    .whereRaw('access_user_roles.tenant_id = any(?::int[])', [[...tenantIds]])
    .groupBy('access_user_roles.tenant_id')
    .select('access_user_roles.tenant_id')
    .min('user_id as user_id')) as unknown as readonly { readonly tenantId: number; readonly userId: number }[]
  return new Map(rows.map(({ tenantId, userId }) => [tenantId, userId]))
}

/** Users who hold a role, as `findHolders` finds them, and nobody gives or takes it until the transaction ends. */
export async function lockHolders(
  tenantId: number,
  roleCode: string,
  trx: Knex.Transaction,
): Promise<readonly number[]> {
  if (isBindable(tenantId, roleCode)) await lockTree(tenantId, trx)
  // What an assignment of the role waits for, through its foreign key.
  await Role.of(tenantId, trx).findOne({ code: roleCode }).forUpdate()
  return findHolders(tenantId, roleCode, trx)
}

/** Whether a node may give the role to its members. */
function isBindable(tenantId: number, roleCode: string): boolean {
  return tenantId !== 0 && !isHeldInPerson(roleCode)
}
