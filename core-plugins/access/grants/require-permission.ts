import { PermissionDeniedError, type Principal } from '#kernel'

/** Throws 403/4031 unless the caller holds a permission that the route itself could not ask for. */
export function requirePermission(principal: Principal, permission: string): void {
  if (!principal.can(permission)) throw new PermissionDeniedError({ permission }, { details: { permission } })
}
