import { PermissionDeniedError, type RequestState } from '#kernel'

const permission = 'user_notification:read'

/** Refuses tenants' users without the permission; the platform's staff always reach what is their own. */
export function admitReader({ principal }: Pick<RequestState, 'principal'>): void {
  if (principal?.scope !== 'tenant' || principal.can(permission)) return
  throw new PermissionDeniedError({ permission }, { details: { permission } })
}
