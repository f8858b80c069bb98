import { coversPermission, ValidationFailedError, type Permission } from '#kernel'

/** Throws 422 with every permission that is not among those known; a wildcard must mean at least one. */
export function checkPermissions(permissions: readonly string[], known: readonly Permission[]): void {
  const unknown = permissions.filter((permission) => {
    return permission === '*:*' || !known.some(({ name }) => coversPermission(permission, name))
  })
  if (unknown.length === 0) return
  const errors = unknown.map((permission) => {
    return {
      field: 'permissions',
      rule: 'known',
      message: `${permission} is no permission here`,
      params: { permission },
    }
  })
  throw new ValidationFailedError({ errors })
}
