import type { PermissionDeclaration } from '#kernel'

/** Permission → what it lets you do. */
export const permissions: readonly PermissionDeclaration[] = [
  { resource: 'platform_health', scope: 'ADMIN', actions: { read: 'Read how the platform’s parts are' } },
]
