import { coversPermission, ValidationFailedError, type PermissionRegistry } from '#kernel'
import type { RoleArea } from './role-area.ts'

/** Throws 422 with every permission that no enabled plugin declares for this area; a wildcard must mean at least one. */
export function checkPermissions(permissions: readonly string[], area: RoleArea, registry: PermissionRegistry): void {
  const known = registry.list().filter(({ scope }) => area.scopes.has(scope))
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
