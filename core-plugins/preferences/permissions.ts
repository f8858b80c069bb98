import type { PermissionDeclaration } from '#kernel'

/** Permission → what it lets you do; the platform's staff need none for their own preferences. */
export const permissions: readonly PermissionDeclaration[] = [
  {
    resource: 'platform_preference',
    scope: 'ADMIN',
    actions: {
      read: 'Read the preferences that the platform’s staff begin with',
      update: 'Change the preferences that the platform’s staff begin with',
    },
  },
  {
    resource: 'tenant_preference',
    scope: 'TENANT',
    actions: {
      read: 'Read the preferences that the tenant’s users begin with',
      update: 'Change the preferences that the tenant’s users begin with',
    },
  },
  {
    resource: 'user_preference',
    scope: 'USER',
    actions: { read: 'Read one’s own preferences', update: 'Change one’s own preferences' },
  },
]
