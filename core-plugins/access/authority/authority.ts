import type { Knex } from 'knex'
import {
  compilePermissionCheck,
  coversPermission,
  DataScopeError,
  type DataScopePlan,
  type PermissionRegistry,
  type Principal,
} from '#kernel'
import type { Account } from '../contract.ts'
import { RoleAboveCallerError } from '../errors.ts'
import { OrgRole, type OrgNode } from '../records/org-models.ts'
import { membersWith, rolesThrough } from '../records/roles-through.ts'
import { Role, UserRole, type ResourceScope } from '../records/role-models.ts'
import { scopeFor, type ScopeReader } from '../scope/scope-reader.ts'
import type { GrantReader } from '../grants/grant-reader.ts'
import type { KnownPermissions } from '../grants/known-permissions.ts'

/** What authority is measured by. */
interface AuthorityParts {
  readonly registry: PermissionRegistry
  readonly known: KnownPermissions
  readonly grants: GrantReader
  readonly scopes: ScopeReader
}

type OwnNodes = () => Promise<readonly Pick<OrgNode, 'id' | 'path'>[]>

/** Nobody gives what they do not hold, nor sight of what they do not see. Every refusal is a 403/4031. */
export class Authority {
  readonly #registry: PermissionRegistry
  readonly #known: KnownPermissions
  readonly #grants: GrantReader
  readonly #scopes: ScopeReader

  constructor({ registry, known, grants, scopes }: AuthorityParts) {
    this.#registry = registry
    this.#known = known
    this.#grants = grants
    this.#scopes = scopes
  }

  /** Refuses unless the actor holds every one of these permissions, which roles of a tenant have or shall have. */
  async requireHeld(actor: Principal, tenantId: number, permissions: readonly string[], db: Knex): Promise<void> {
    const missing = await this.#missing(actor, tenantId, permissions, db)
    if (missing !== undefined) throw aboveCaller(missing)
  }

  /**
   * Refuses unless the actor could give, and so take, every one of these roles. A role shows each of its holders the own
   * nodes: it is measured by those of the users it goes `to`, and without any by the actor's.
   */
  async requireMayGive(
    actor: Principal,
    tenantId: number,
    roles: readonly Role[],
    db: Knex,
    { to = [actor.userId] }: { readonly to?: readonly number[] } = {},
  ): Promise<void> {
    for (const { code } of roles) {
      const isOwners = code === 'tenant_owner' && actor.scope === 'tenant'
      if (isOwners && !actor.roles.includes(code)) throw aboveCaller(code)
    }
    await this.requireHeld(actor, tenantId, await this.#grants.permissionsOf(tenantId, roles, db), db)
    await this.#requireRolesSeen(actor, roles, () => this.#scopes.nodesOf(tenantId, to, db), db)
  }

  /** Refuses to let users into these nodes where roles that they hold, or get there, would show them more than the actor sees. */
  async requireMayAdmit(
    actor: Principal,
    userIds: readonly number[],
    nodes: readonly Pick<OrgNode, 'id' | 'path'>[],
    db: Knex,
  ): Promise<void> {
    const held = await this.#grants.heldBy(actor.tenantId, userIds, db)
    const gained = await rolesThrough(actor.tenantId, nodes, db)
    await this.#requireRolesSeen(actor, [...held, ...gained], () => Promise.resolve(nodes), db)
  }

  /** What the actor sees, by permission. */
  async sightOf({ tenantId, userId }: Principal, db: Knex): Promise<ReadonlyMap<string, DataScopePlan>> {
    const held = await this.#grants.activeRoles(tenantId, userId, db)
    const plans = this.#scopedIn(held.flatMap(({ permissions }) => permissions)).map(async (permission) => {
      return [permission, await this.#scopes.planFrom(held, { tenantId, userId, permission }, db)] as const
    })
    return new Map(await Promise.all(plans))
  }

  /** Refuses what the actor has done in this transaction when the actor sees more by it. */
  async requireNoMoreSight(actor: Principal, before: ReadonlyMap<string, DataScopePlan>, db: Knex): Promise<void> {
    for (const [permission, plan] of await this.sightOf(actor, db)) {
      const known = before.get(permission)
      if (known?.kind === 'all') continue
      const seen = new Set(known?.kind === 'filter' ? known.orgIds : [])
      const isWider = plan.kind === 'all' || (plan.kind === 'filter' && plan.orgIds.some((id) => !seen.has(id)))
      if (isWider) throw new DataScopeError({ details: { permission } })
    }
  }

  /** Refuses unless the actor could give every role that a user holds; nobody needs authority over themselves. */
  async requireOver(actor: Principal, tenantId: number, userId: number, trx: Knex.Transaction): Promise<void> {
    if (actor.userId === userId && actor.tenantId === tenantId) return
    const held = await this.#grants.heldBy(tenantId, [userId], trx)
    await this.requireMayGive(actor, tenantId, held, trx, { to: [userId] })
  }

  /** Refuses unless the actor could give every role that somebody of the tenant holds. */
  async requireOverAll(actor: Principal, tenantId: number, trx: Knex.Transaction): Promise<void> {
    const given = UserRole.of(tenantId, trx).select('role_id')
    const bound = OrgRole.of(tenantId, trx).select('role_id')
    const held = await Role.of(tenantId, trx).where((group) => void group.whereIn('id', given).orWhereIn('id', bound))
    await this.requireMayGive(actor, tenantId, held, trx)
  }

  /** Whether an account holds a role that another could not give, sight left aside. */
  async isAbove(account: Account, other: Account | undefined, db: Knex): Promise<boolean> {
    const { tenantId, userId } = account
    if (!other) return true
    if (other.tenantId === tenantId && other.userId === userId) return false
    const holder = await this.#grants.activeRoles(other.tenantId, other.userId, db)
    const can = compilePermissionCheck(holder.flatMap(({ permissions }) => permissions))
    const held = await this.#grants.heldBy(tenantId, [userId], db)
    const isOwner = held.some(({ code }) => code === 'tenant_owner')
    if (isOwner && other.tenantId > 0 && !holder.some(({ role }) => role.code === 'tenant_owner')) return true
    const permissions = await this.#grants.permissionsOf(tenantId, held, db)
    return (await this.#missing({ can }, tenantId, permissions, db)) !== undefined
  }

  /** The nodes that a role shows its holders with a scope of their own nodes; the actor's count too, who may come to hold it. */
  nodesOfHolders(actor: Principal, roleId: number, db: Knex): OwnNodes {
    const { tenantId, userId } = actor
    return async () => {
      const holders = await UserRole.of(tenantId, db).where('role_id', roleId)
      const members = await membersWith(tenantId, roleId, db)
      return this.#scopes.nodesOf(tenantId, [userId, ...holders.map((holder) => holder.userId), ...members], db)
    }
  }

  /** Refuses a scope on these permissions that would show the actor more than the actor sees with them. */
  async requireSeen(
    actor: Principal,
    permissions: readonly string[],
    scopeOf: (permission: string) => ResourceScope,
    db: Knex,
    ownNodes: OwnNodes = () => this.#scopes.nodesOf(actor.tenantId, [actor.userId], db),
  ): Promise<void> {
    if (actor.tenantId === 0) return
    const { tenantId, userId } = actor
    const scoped = this.#scopedIn(permissions).filter((permission) => scopeOf(permission).scope !== 'SELF')
    const held = scoped.length > 0 ? await this.#grants.activeRoles(tenantId, userId, db) : []
    for (const permission of scoped) {
      const scope = scopeOf(permission)
      const plan = await this.#scopes.planFrom(held, { tenantId, userId, permission }, db)
      if (plan.kind === 'all') continue
      const given = await this.#scopes.nodesIn(tenantId, [scope], ownNodes, db)
      const seen = new Set(plan.kind === 'filter' ? plan.orgIds : [])
      const isWider = plan.kind === 'none' || given === 'all' || given.some((id) => !seen.has(id))
      if (isWider) throw new DataScopeError({ details: { permission, data_scope: scope.scope } })
    }
  }

  async #requireRolesSeen(actor: Principal, roles: readonly Role[], ownNodes: OwnNodes, db: Knex): Promise<void> {
    for (const role of roles) {
      const permissions = await this.#grants.permissionsOf(role.tenantId, [role], db)
      await this.requireSeen(actor, permissions, (permission) => scopeFor(role, permission), db, ownNodes)
    }
  }

  #scopedIn(permissions: readonly string[]): readonly string[] {
    const scoped = this.#registry.list().filter(({ dataScoped }) => dataScoped)
    return scoped.flatMap(({ name }) => (permissions.some((held) => coversPermission(held, name)) ? [name] : []))
  }

  /** The first of these permissions of a tenant's roles that the actor does not hold; a wildcard is held with all that it means there. */
  async #missing(
    { can }: Pick<Principal, 'can'>,
    tenantId: number,
    permissions: readonly string[],
    db: Knex,
  ): Promise<string | undefined> {
    const open = permissions.filter((permission) => !can(permission))
    const isWildcard = (permission: string): boolean => permission.endsWith(':*') && permission !== '*:*'
    const known = open.some(isWildcard) ? await this.#known.list(tenantId, db) : []
    return open.find((permission) => {
      const meant = isWildcard(permission) ? known.filter(({ name }) => coversPermission(permission, name)) : []
      return meant.length === 0 || !meant.every(({ name }) => can(name))
    })
  }
}

function aboveCaller(permission: string) {
  return new RoleAboveCallerError({ permission }, { details: { permission } })
}
