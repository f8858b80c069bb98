import type { PermissionDeclaration } from '#kernel'

/** Permission → what it lets you do. */
export const permissions: readonly PermissionDeclaration[] = [
  {
    resource: 'platform_tenant',
    scope: 'ADMIN',
    actions: {
      list: 'List tenants',
      detail: 'Read a tenant',
      create: 'Create tenants with their owners',
      update: 'Change, disable and enable tenants',
      delete: 'Delete tenants',
      impersonate: 'Act for a tenant for a while',
    },
  },
  {
    resource: 'tenant_domain',
    scope: 'TENANT',
    actions: {
      list: 'List the tenant’s domains',
      create: 'Bind domains to the tenant',
      verify: 'Have a domain verified',
      delete: 'Unbind domains',
    },
  },
]
