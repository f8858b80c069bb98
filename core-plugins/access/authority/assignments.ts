import type { Knex } from 'knex'
import { ValidationFailedError, type Principal } from '#kernel'
import { RoleAboveCallerError } from '../errors.ts'
import { Role, UserRole } from '../records/role-models.ts'
import { tenantRoles } from '../records/system-roles.ts'
import type { Authority } from './authority.ts'
import { requireFewRoles } from '../grants/held-roles.ts'

/** The role that whoever creates a user may give without the right to assign roles. */
const initialRole = 'tenant_user'

/** Gives roles to users and takes them. */
export class Assignments {
  readonly #authority: Authority

  constructor(authority: Authority) {
    this.#authority = authority
  }

  async seedTenantRoles(tenantId: number, trx: Knex.Transaction): Promise<void> {
    await Role.of(tenantId, trx).insert(
      tenantRoles.map(({ code, name, dataScope }) => ({ code, name, dataScope, system: true })),
    )
  }

  async assign(
    tenantId: number,
    userId: number,
    codes: readonly string[],
    trx: Knex.Transaction,
    actor?: Principal,
  ): Promise<void> {
    const wanted = await findRoles(tenantId, codes, trx)
    const held = await this.#own(tenantId, userId, trx)
    const added = wanted.filter(({ id }) => !held.some((role) => role.id === id))
    const removed = held.filter(({ id }) => !wanted.some((role) => role.id === id))
    if (actor) await this.#requireMayChange(actor, { tenantId, userId }, [...added, ...removed], trx)
    const removedIds = removed.map(({ id }) => id)
    if (removedIds.length > 0) {
      await UserRole.of(tenantId, trx).delete().where('user_id', userId).whereIn('role_id', removedIds)
    }
    if (added.length === 0) return
    await UserRole.of(tenantId, trx)
      .insert(added.map(({ id }) => ({ tenantId, userId, roleId: id })))
      .onConflict(['tenant_id', 'user_id', 'role_id'])
      .ignore()
    await requireFewRoles(tenantId, [userId], trx)
  }

  async forget(tenantId: number, userId: number, trx: Knex.Transaction): Promise<void> {
    await UserRole.of(tenantId, trx).delete().where('user_id', userId)
  }

  async #own(tenantId: number, userId: number, trx: Knex.Transaction): Promise<readonly Role[]> {
    const ids = UserRole.of(tenantId, trx).select('role_id').where('user_id', userId)
    return Role.of(tenantId, trx).whereIn('id', ids)
  }

  async #requireMayChange(
    actor: Principal,
    { tenantId, userId }: { readonly tenantId: number; readonly userId: number },
    roles: readonly Role[],
    trx: Knex.Transaction,
  ): Promise<void> {
    const changed = roles.filter(({ code }) => code !== initialRole)
    const permission = tenantId === 0 ? 'platform_role:assign' : 'tenant_role:assign'
    if (changed.length > 0 && !actor.can(permission)) {
      throw new RoleAboveCallerError({ permission }, { details: { permission } })
    }
    await this.#authority.requireMayGive(actor, tenantId, changed, trx, { to: [userId] })
  }
}

/** Roles by their codes, which nobody deletes until the transaction ends; throws 422 with every unknown one. */
export async function findRoles(
  tenantId: number,
  codes: readonly string[],
  trx: Knex.Transaction,
): Promise<readonly Role[]> {
  const unique = [...new Set(codes)]
  // A role that is deleted meanwhile is an unknown one, not a broken reference.
  const roles = await Role.of(tenantId, trx).whereIn('code', unique).forKeyShare()
  const unknown = unique.filter((code) => !roles.some((role) => role.code === code))
  if (unknown.length === 0) return roles
  const errors = unknown.map((role) => {
    return { field: 'roles', rule: 'known', message: `there is no role ${role}`, params: { role } }
  })
  throw new ValidationFailedError({ errors })
}
