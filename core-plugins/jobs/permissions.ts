import type { PermissionDeclaration } from '#kernel'

/** Permission → what it lets you do. */
export const permissions: readonly PermissionDeclaration[] = [
  {
    resource: 'platform_job',
    scope: 'ADMIN',
    actions: {
      list: 'See the jobs of the platform and of all tenants, and how far they are',
      retry: 'Have a job that was given up or cancelled tried again',
      cancel: 'Cancel a job that has not ended',
    },
  },
]
