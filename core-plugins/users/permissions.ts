import type { PermissionDeclaration } from '#kernel'

/** Permission → what it lets you do. */
export const permissions: readonly PermissionDeclaration[] = [
  {
    resource: 'platform_user',
    scope: 'ADMIN',
    actions: {
      list: 'List the platform’s users',
      detail: 'Read a user of the platform',
      create: 'Create users of the platform',
      update: 'Change and disable users of the platform',
      delete: 'Delete users of the platform',
      reset_password: 'Set a new password for a user of the platform',
      sessions: 'See and end the sessions of the platform’s users',
    },
  },
  {
    resource: 'tenant_user',
    scope: 'TENANT',
    dataScoped: true,
    actions: {
      list: 'List the tenant’s users',
      detail: 'Read a user of the tenant',
      create: 'Create users in the tenant',
      update: 'Change and disable users of the tenant',
      delete: 'Delete users of the tenant',
      reset_password: 'Set a new password for a user of the tenant',
      approve: 'Approve registrations',
      sessions: 'See and end the sessions of the tenant’s users',
    },
  },
  {
    resource: 'user_profile',
    scope: 'USER',
    actions: { read: 'Read the own profile', update: 'Change the own profile' },
  },
]
