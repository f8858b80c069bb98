import type { Knex } from 'knex'
import { coversPermission, DataScopeError, type PermissionRegistry, type Principal } from '#kernel'
import { RoleAboveCallerError } from '../errors.ts'
import type { ResourceScope, Role } from '../roles/models.ts'
import { scopeFor, type ScopeReader } from '../scope/scope-reader.ts'
import type { GrantReader } from './grant-reader.ts'

/** Nobody gives what they do not hold, nor sight of what they do not see. Every refusal is a 403/4031. */
export class Authority {
  readonly #registry: PermissionRegistry
  readonly #grants: GrantReader
  readonly #scopes: ScopeReader

  constructor(registry: PermissionRegistry, grants: GrantReader, scopes: ScopeReader) {
    this.#registry = registry
    this.#grants = grants
    this.#scopes = scopes
  }

  /** Refuses unless the actor holds every one of these permissions. */
  requireHeld(actor: Principal, permissions: Iterable<string>): void {
    for (const permission of permissions) {
      if (!this.#holds(actor, permission)) throw aboveCaller(permission)
    }
  }

  /** Refuses unless the actor could give, and so take, every one of these roles. */
  async requireMayGive(actor: Principal, tenantId: number, roles: readonly Role[], db: Knex): Promise<void> {
    for (const { code } of roles) {
      const isOwners = code === 'tenant_owner' && actor.scope === 'tenant'
      if (isOwners && !actor.roles.includes(code)) throw aboveCaller(code)
    }
    this.requireHeld(actor, await this.#grants.permissionsOf(tenantId, roles, db))
    for (const role of roles) {
      const permissions = await this.#grants.permissionsOf(tenantId, [role], db)
      await this.requireSeen(actor, permissions, (permission) => scopeFor(role, permission), db)
    }
  }

  /** Refuses unless the actor could give every role that a user holds; nobody needs authority over themselves. */
  async requireOver(actor: Principal, tenantId: number, userId: number, trx: Knex.Transaction): Promise<void> {
    if (actor.userId === userId && actor.tenantId === tenantId) return
    await this.requireMayGive(actor, tenantId, await this.#grants.heldBy(tenantId, userId, trx), trx)
  }

  /** Refuses a scope on these permissions that would show the actor more than the actor sees with them. */
  async requireSeen(
    actor: Principal,
    permissions: readonly string[],
    scopeOf: (permission: string) => ResourceScope,
    db: Knex,
  ): Promise<void> {
    if (actor.tenantId === 0) return
    const { tenantId, userId } = actor
    const scoped = this.#scopedIn(permissions).filter((permission) => scopeOf(permission).scope !== 'SELF')
    const held = scoped.length > 0 ? await this.#grants.activeRoles(tenantId, userId, db) : []
    for (const permission of scoped) {
      const scope = scopeOf(permission)
      const plan = await this.#scopes.planFrom(held, { tenantId, userId, permission }, db)
      if (plan.kind === 'all') continue
      const given = await this.#scopes.nodesIn(tenantId, userId, [scope], db)
      const seen = new Set(plan.kind === 'filter' ? plan.orgIds : [])
      const isWider = plan.kind === 'none' || given === 'all' || given.some((id) => !seen.has(id))
      if (isWider) throw new DataScopeError({ details: { permission, data_scope: scope.scope } })
    }
  }

  #scopedIn(permissions: readonly string[]): readonly string[] {
    const scoped = this.#registry.list().filter(({ dataScoped }) => dataScoped)
    return scoped.flatMap(({ name }) => (permissions.some((held) => coversPermission(held, name)) ? [name] : []))
  }

  #holds(actor: Principal, permission: string): boolean {
    if (actor.can(permission)) return true
    if (!permission.endsWith(':*')) return false
    const meant = this.#registry.list().filter(({ name }) => coversPermission(permission, name))
    return permission !== '*:*' && meant.length > 0 && meant.every(({ name }) => actor.can(name))
  }
}

function aboveCaller(permission: string) {
  return new RoleAboveCallerError({ permission }, { details: { permission } })
}
