import type { PermissionDeclaration } from '#kernel'

/** Permission → what it lets you do; the platform's staff need none for their own notifications. */
export const permissions: readonly PermissionDeclaration[] = [
  { resource: 'user_notification', scope: 'USER', actions: { read: 'Read and delete one’s own notifications' } },
]
