import type { Knex } from 'knex'
import { Role } from './role-models.ts'
import { OrgNode, OrgRole, UserOrg } from './org-models.ts'
import { idsOf, inSubtrees } from './subtree.ts'

/** Roles that members of these nodes get through them, were every node on the way active. */
export async function rolesThrough(
  tenantId: number,
  nodes: readonly Pick<OrgNode, 'id' | 'path'>[],
  db: Knex,
): Promise<readonly Role[]> {
  const above = [...new Set(nodes.flatMap(({ path }) => idsOf(path)))]
  if (above.length === 0) return []
  const own = nodes.map(({ id }) => id)
  const bound = OrgRole.of(tenantId, db)
    .select('role_id')
    .whereIn('org_id', above)
    .where((group) => void group.where('inherit', true).orWhereIn('org_id', own))
  return Role.of(tenantId, db).whereIn('id', bound).orderBy('id')
}

/** Users who hold a role through the organisation. */
export async function membersWith(tenantId: number, roleId: number, db: Knex): Promise<readonly number[]> {
  const bound = await OrgRole.of(tenantId, db).where('role_id', roleId)
  if (bound.length === 0) return []
  const inheriting = new Set(bound.flatMap(({ orgId, inherit }) => (inherit ? [orgId] : [])))
  const active = OrgNode.of(tenantId, db).where('status', 'active')
  const nodes = await active.whereIn(
    'id',
    bound.map(({ orgId }) => orgId),
  )
  const paths = nodes.flatMap(({ id, path }) => (inheriting.has(id) ? [path] : []))
  const below = await inSubtrees(OrgNode.of(tenantId, db).select('id').where('status', 'active'), paths)
  const ids = [...nodes, ...below].map(({ id }) => id)
  const members = await UserOrg.of(tenantId, db).distinct('user_id').whereRaw('org_id = any(?::int[])', [ids])
  return members.map(({ userId }) => userId)
}
