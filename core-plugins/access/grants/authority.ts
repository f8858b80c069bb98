import { coversPermission, type PermissionRegistry, type Principal } from '#kernel'
import { RoleAboveCallerError } from '../errors.ts'

/** Throws 403/4031 unless the actor holds every one of these permissions; nobody gives what they do not hold. */
export function requireHeld(actor: Principal, permissions: Iterable<string>, registry: PermissionRegistry): void {
  for (const permission of permissions) {
    if (!holds(actor, permission, registry)) throw aboveCaller(permission)
  }
}

/** Throws 403/4031 when a role is one that only its own holders may give and take. */
export function requireMayGive(actor: Principal, roleCode: string): void {
  if (roleCode === 'tenant_owner' && actor.scope === 'tenant' && !actor.roles.includes(roleCode)) {
    throw aboveCaller(roleCode)
  }
}

function holds(actor: Principal, permission: string, registry: PermissionRegistry): boolean {
  if (actor.can(permission)) return true
  if (!permission.endsWith(':*')) return false
  const meant = registry.list().filter(({ name }) => coversPermission(permission, name))
  return permission !== '*:*' && meant.length > 0 && meant.every(({ name }) => actor.can(name))
}

function aboveCaller(permission: string) {
  return new RoleAboveCallerError({ permission }, { details: { permission } })
}
