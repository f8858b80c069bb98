import type { Knex } from 'knex'
import { DataScopeError, ValidationFailedError, type Principal } from '#kernel'
import type { Authority } from '../authority/authority.ts'
import { requireFewRoles } from '../grants/held-roles.ts'
import type { ScopeReader } from '../scope/scope-reader.ts'
import { lockMember, lockTree } from '../records/lock-tree.ts'
import { OrgNode, UserOrg } from '../records/org-models.ts'
import { rolesThrough } from '../records/roles-through.ts'

/** Which nodes users belong to. */
export class Memberships {
  readonly #db: Knex
  readonly #authority: Authority
  readonly #scopes: ScopeReader

  constructor(db: Knex, authority: Authority, scopes: ScopeReader) {
    this.#db = db
    this.#authority = authority
    this.#scopes = scopes
  }

  /** Nodes of many users, the primary one first. */
  async orgsOf(
    tenantId: number,
    userIds: readonly number[],
    db: Knex = this.#db,
  ): Promise<ReadonlyMap<number, readonly number[]>> {
    if (userIds.length === 0) return new Map()
    const rows = await UserOrg.of(tenantId, db)
      .whereIn('user_id', userIds)
      .orderBy([{ column: 'is_primary', order: 'desc' }, { column: 'org_id' }])
    const byUser = Map.groupBy(rows, ({ userId }) => userId)
    return new Map([...byUser].map(([userId, held]) => [userId, held.map(({ orgId }) => orgId)]))
  }

  /** The user's active nodes with all active ones above them. */
  async lineOf(tenantId: number, userId: number): Promise<readonly number[]> {
    const { rows } = (await this.#db
      .raw(
        `select distinct node.id
           from access_user_orgs member
           join access_orgs own on own.tenant_id = member.tenant_id and own.id = member.org_id and own.status = 'active'
          cross join lateral unnest(string_to_array(trim(both '/' from own.path), '/')::int[]) as above(id)
           join access_orgs node on node.tenant_id = own.tenant_id and node.id = above.id and node.status = 'active'
          where member.tenant_id = ? and member.user_id = ?
          order by node.id`,
        [tenantId, userId],
      )
      .queryContext({ tenant: tenantId })) as { rows: { id: number }[] }
    return rows.map(({ id }) => id)
  }

  /** The user's primary node, or null. */
  async primaryOrgOf(tenantId: number, userId: number): Promise<number | null> {
    const row = await UserOrg.of(tenantId, this.#db).findOne({ user_id: userId, is_primary: true })
    return row?.orgId ?? null
  }

  /** Makes these the user's nodes, the first the primary one. */
  async assign(
    tenantId: number,
    userId: number,
    orgIds: readonly number[],
    trx: Knex.Transaction,
    actor?: Principal,
  ): Promise<void> {
    await this.lock(tenantId, userId, trx)
    const wanted = await this.#find(tenantId, [...new Set(orgIds)], trx)
    const held = (await this.orgsOf(tenantId, [userId], trx)).get(userId) ?? []
    const added = wanted.filter(({ id }) => !held.includes(id))
    const removed = await OrgNode.of(tenantId, trx).whereIn('id', held).whereNotIn('id', orgIds)
    if (actor) {
      await this.#requireMayChange(actor, userId, [...added, ...removed], trx)
      if (added.length > 0) await this.#authority.requireMayAdmit(actor, [userId], added, trx)
    }
    await this.put(tenantId, userId, orgIds, trx)
    if (added.length > 0) await requireFewRoles(tenantId, [userId], trx)
  }

  /** Keeps the tree as it is, and the user's nodes to this transaction. */
  async lock(tenantId: number, userId: number, trx: Knex.Transaction): Promise<void> {
    await lockTree(tenantId, trx, 'shared')
    await lockMember(userId, trx)
  }

  /** Stores the user's nodes, the first as the primary one; the caller holds the lock and has checked them. */
  async put(tenantId: number, userId: number, orgIds: readonly number[], trx: Knex.Transaction): Promise<void> {
    await this.forget(tenantId, userId, trx)
    const rows = [...new Set(orgIds)].map((orgId, at) => ({ tenantId, userId, orgId, isPrimary: at === 0 }))
    if (rows.length > 0) await UserOrg.of(tenantId, trx).insert(rows)
  }

  /** Takes every node from a user. */
  async forget(tenantId: number, userId: number, trx: Knex.Transaction): Promise<void> {
    await UserOrg.of(tenantId, trx).delete().where('user_id', userId)
  }

  async #find(tenantId: number, ids: readonly number[], trx: Knex.Transaction): Promise<readonly OrgNode[]> {
    const nodes = ids.length > 0 ? await OrgNode.of(tenantId, trx).whereIn('id', ids) : []
    const unknown = ids.filter((id) => !nodes.some((node) => node.id === id))
    if (unknown.length === 0) return nodes
    const errors = unknown.map((org) => {
      return { field: 'org_ids', rule: 'known', message: `there is no organisation node ${org}`, params: { org } }
    })
    throw new ValidationFailedError({ errors })
  }

  /** Who may create users or change them may do it in the nodes that either right reaches. */
  async #requireMayChange(
    actor: Principal,
    userId: number,
    nodes: readonly OrgNode[],
    trx: Knex.Transaction,
  ): Promise<void> {
    if (nodes.length === 0) return
    const permissions = ['tenant_user:create', 'tenant_user:update']
    const plans = await Promise.all(
      permissions.map((name) => this.#scopes.planIn(trx, actor.tenantId, actor.userId, name)),
    )
    const reached = new Set(plans.flatMap((plan) => (plan.kind === 'filter' ? plan.orgIds : [])))
    const isReached = plans.some(({ kind }) => kind === 'all') || nodes.every(({ id }) => reached.has(id))
    if (!isReached) throw new DataScopeError()
    const roles = await rolesThrough(actor.tenantId, nodes, trx)
    await this.#authority.requireMayGive(actor, actor.tenantId, roles, trx, { to: [userId] })
  }
}
