import type { PermissionDeclaration } from '#kernel'

/** Permission → what it lets you do; the platform's staff need none for their own attachments. */
export const permissions: readonly PermissionDeclaration[] = [
  {
    resource: 'platform_attachment',
    scope: 'ADMIN',
    actions: { list: 'List the attachments of the platform and of tenants', delete: 'Delete attachments of anybody' },
  },
  {
    resource: 'tenant_attachment',
    scope: 'TENANT',
    dataScoped: true,
    actions: { list: 'List and read the tenant’s attachments', delete: 'Delete attachments of the tenant' },
  },
  {
    resource: 'user_attachment',
    scope: 'USER',
    actions: {
      upload: 'Upload files',
      read: 'Read one’s own attachments and those that everybody of the tenant may read',
      delete: 'Delete one’s own attachments',
    },
  },
]
