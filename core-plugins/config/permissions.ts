import type { PermissionDeclaration } from '#kernel'

/** Permission → what it lets you do. */
export const permissions: readonly PermissionDeclaration[] = [
  {
    resource: 'platform_config',
    scope: 'ADMIN',
    actions: {
      groups: 'List the platform’s configuration groups',
      detail: 'Read the values of a platform configuration group',
      update: 'Change platform configuration and make encryption keys',
      read: 'Read what storage drivers there are and what they ask for',
    },
  },
  {
    resource: 'tenant_config',
    scope: 'TENANT',
    actions: {
      groups: 'List the tenant’s configuration groups',
      detail: 'Read the values of a tenant configuration group',
      update: 'Change the tenant’s configuration',
    },
  },
]
