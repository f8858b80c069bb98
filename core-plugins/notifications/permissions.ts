import type { PermissionDeclaration } from '#kernel'

/** Permission → what it lets you do; the platform's staff need none for their own notifications. */
export const permissions: readonly PermissionDeclaration[] = [
  { resource: 'platform_notification', scope: 'ADMIN', actions: { send: 'Announce something to tenants and staff' } },
  { resource: 'tenant_notification', scope: 'TENANT', actions: { send: 'Announce something to the tenant’s users' } },
  { resource: 'user_notification', scope: 'USER', actions: { read: 'Read and delete one’s own notifications' } },
]
