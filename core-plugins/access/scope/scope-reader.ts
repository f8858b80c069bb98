import type { Knex } from 'knex'
import { coversPermission, type DataScopePlan } from '#kernel'
import type { DataScope } from '../contract.ts'
import type { GrantReader, HeldRole } from '../grants/grant-reader.ts'
import { OrgNode, UserOrg } from '../records/org-models.ts'
import { inSubtrees } from '../records/subtree.ts'
import type { ResourceScope, Role } from '../records/role-models.ts'

/** How far a role sees on the resource of a permission. */
export function scopeFor(
  role: Pick<Role, 'dataScope' | 'dataScopeOrgs' | 'dataScopes'>,
  permission: string,
): ResourceScope {
  const resource = permission.slice(0, permission.lastIndexOf(':'))
  return role.dataScopes[resource] ?? { scope: role.dataScope, orgs: role.dataScopeOrgs }
}

/** Works out which rows users reach. */
export class ScopeReader {
  readonly #db: Knex
  readonly #grants: GrantReader

  constructor(db: Knex, grants: GrantReader) {
    this.#db = db
    this.#grants = grants
  }

  /** What a user reaches with a permission; kept until the epoch ends. */
  async planOf(tenantId: number, userId: number, permission: string): Promise<DataScopePlan> {
    if (tenantId === 0) return { kind: 'all' }
    return this.#grants.keep(tenantId, `scope:${userId}:${permission}`, () =>
      this.planIn(this.#db, tenantId, userId, permission),
    )
  }

  /** The same as a transaction sees it, which then needs no second connection to ask, and is never kept. */
  async planIn(db: Knex, tenantId: number, userId: number, permission: string): Promise<DataScopePlan> {
    if (tenantId === 0) return { kind: 'all' }
    return this.planFrom(await this.#grants.activeRoles(tenantId, userId, db), { tenantId, userId, permission }, db)
  }

  /** What these roles of a user let it reach with a permission. */
  async planFrom(
    held: readonly HeldRole[],
    {
      tenantId,
      userId,
      permission,
    }: { readonly tenantId: number; readonly userId: number; readonly permission: string },
    db: Knex,
  ): Promise<DataScopePlan> {
    const granting = held.filter(({ permissions }) => permissions.some((name) => coversPermission(name, permission)))
    if (granting.length === 0) return { kind: 'none' }
    const scopes = granting.map(({ role }) => scopeFor(role, permission))
    const orgIds = await this.nodesIn(tenantId, scopes, () => this.nodesOf(tenantId, [userId], db), db)
    return orgIds === 'all' ? { kind: 'all' } : { kind: 'filter', orgIds, userId }
  }

  /** The nodes that these scopes together mean for somebody who belongs to the own nodes: ids, or every one. */
  async nodesIn(
    tenantId: number,
    scopes: readonly ResourceScope[],
    ownNodes: () => Promise<readonly Pick<OrgNode, 'id' | 'path'>[]>,
    db: Knex,
  ): Promise<'all' | readonly number[]> {
    const has = (wanted: DataScope): boolean => scopes.some(({ scope }) => scope === wanted)
    if (has('ALL')) return 'all'
    const own = has('ORG_AND_CHILDREN') || has('ORG_ONLY') ? await ownNodes() : []
    const custom = scopes.flatMap(({ scope, orgs }) => (scope === 'CUSTOM' && orgs ? [orgs] : []))
    const named = (withChildren: boolean): readonly number[] =>
      custom.flatMap((orgs) => (orgs.with_children === withChildren ? orgs.org_ids : []))
    const roots = named(true)
    const deep = roots.length > 0 ? await OrgNode.of(tenantId, db).whereIn('id', roots).select('path') : []
    const paths = [...(has('ORG_AND_CHILDREN') ? own : []), ...deep].map(({ path }) => path)
    const below = paths.length > 0 ? await inSubtrees(OrgNode.of(tenantId, db).select('id'), paths) : []
    const exact = [...(has('ORG_ONLY') ? own.map(({ id }) => id) : []), ...named(false)]
    return [...new Set([...below.map(({ id }) => id), ...exact])].sort((a, b) => a - b)
  }

  /** Active nodes of some users together. */
  async nodesOf(tenantId: number, userIds: readonly number[], db: Knex): Promise<readonly OrgNode[]> {
    return OrgNode.of(tenantId, db)
      .select('id', 'path')
      .where('status', 'active')
      .whereIn(
        'id',
        UserOrg.of(tenantId, db)
          .select('org_id')
          .whereRaw('user_id = any(?::int[])', [[...userIds]]),
      )
  }
}
