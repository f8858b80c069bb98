import type { PermissionDeclaration } from '#kernel'

/** What administrators may do with schedules of plugins beside reading them. */
export const permissions: readonly PermissionDeclaration[] = [
  { resource: 'platform_plugin', scope: 'ADMIN', actions: { schedules: 'Refresh the schedules of plugins' } },
]
