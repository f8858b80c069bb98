import type { PermissionDeclaration } from '#kernel'

/** Permission → what it lets you do. */
export const permissions: readonly PermissionDeclaration[] = [
  {
    resource: 'platform_backup',
    scope: 'ADMIN',
    actions: { list: 'See the platform’s backups and how they went', run: 'Have a backup of the platform made now' },
  },
]
