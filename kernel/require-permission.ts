import { PermissionDeniedError } from './errors.ts'
import type { Principal } from './identity.ts'

/** Throws 403/4031 unless the caller holds a permission; for routes that ask for it of some callers only. */
export function requirePermission(principal: Principal, permission: string): void {
  if (!principal.can(permission)) throw new PermissionDeniedError({ permission }, { details: { permission } })
}

/** An `admit` of routes that refuses tenants' users without a permission; the platform's staff always reach what is their own. */
export function tenantNeeds(permission: string): (state: { readonly principal: Principal | undefined }) => void {
  return ({ principal }) => {
    if (principal?.scope === 'tenant') requirePermission(principal, permission)
  }
}
