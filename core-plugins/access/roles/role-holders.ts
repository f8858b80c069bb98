import type { Knex } from 'knex'
import { NotFoundError, presentPage, requirePermission, type Page, type Principal } from '#kernel'
import { OrgRole } from '../records/org-models.ts'
import { restrictToMembers } from '../scope/restrict-to-members.ts'
import type { ScopeReader } from '../scope/scope-reader.ts'
import { Role, UserRole } from '../records/role-models.ts'
import { presentUser, type UserNames } from '../user-names.ts'

/** Users who were given a role, as far as the caller may list users, and the nodes that give it to their members. */
export async function listHolders(
  { db, scopes, names }: { readonly db: Knex; readonly scopes: ScopeReader; readonly names: UserNames },
  principal: Principal,
  roleId: number,
  { page, userId }: { readonly page: Page; readonly userId: number | undefined },
) {
  const { tenantId, userId: callerId } = principal
  const permission = tenantId === 0 ? 'platform_user:list' : 'tenant_user:list'
  requirePermission(principal, permission)
  if (!(await Role.of(tenantId, db).findById(roleId))) throw new NotFoundError()
  const plan = await scopes.planOf(tenantId, callerId, permission)
  const holders = restrictToMembers(UserRole.of(tenantId, db).where('role_id', roleId), plan, 'user_id')
  // Of a user nothing but the id is known here.
  if (page.pattern !== undefined) void holders.whereRaw('user_id::text like ?', [page.pattern])
  if (userId !== undefined) void holders.where('user_id', userId)
  const { results, total } = await holders.orderBy('user_id').page(page.page - 1, page.size)
  const known = await names.of(
    tenantId,
    results.map(({ userId }) => userId),
  )
  const nodes = OrgRole.of(tenantId, db).where('role_id', roleId).orderBy('org_id').limit(1000)
  const bound = plan.kind === 'filter' ? nodes.whereRaw('org_id = any(?::int[])', [[...plan.orgIds]]) : nodes
  return {
    ...presentPage(
      page,
      total,
      results.map(({ userId: id }) => ({ user_id: id, user: presentUser(id, known) })),
    ),
    orgs: (await bound).map(({ orgId, inherit }) => ({ org_id: orgId, inherit })),
  }
}
