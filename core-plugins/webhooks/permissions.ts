import type { PermissionDeclaration } from '#kernel'

const actions = {
  list: 'List web hooks and what was sent to them',
  create: 'Add web hooks',
  update: 'Change, test, pause and resume web hooks, renew their secrets, and send again',
  delete: 'Delete web hooks',
}

/** Permission → what it lets you do; users need none but that for their notifications for hooks of their own. */
export const permissions: readonly PermissionDeclaration[] = [
  { resource: 'platform_webhook', scope: 'ADMIN', actions },
  { resource: 'tenant_webhook', scope: 'TENANT', actions },
]
