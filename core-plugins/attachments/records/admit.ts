import { PermissionDeniedError, type RequestState } from '#kernel'

/** Refuses tenants' users without a permission; the platform's staff always reach what is their own. */
export function tenantNeeds(permission: string): (state: RequestState) => void {
  return ({ principal }) => {
    if (principal?.scope !== 'tenant' || principal.can(permission)) return
    throw new PermissionDeniedError({ permission }, { details: { permission } })
  }
}
