import type { PermissionDeclaration } from '#kernel'

/** Permission → what it lets you do. */
export const permissions: readonly PermissionDeclaration[] = [
  { resource: 'console_admin', scope: 'ADMIN', actions: { enter: 'Open the console of administrators' } },
  {
    resource: 'platform_role',
    scope: 'ADMIN',
    actions: {
      list: 'List the platform’s roles',
      detail: 'Read a platform role with its permissions',
      create: 'Create platform roles',
      update: 'Change platform roles',
      delete: 'Delete platform roles',
      assign: 'Give and take platform roles',
    },
  },
  {
    resource: 'platform_menu',
    scope: 'ADMIN',
    actions: { list: 'List the menus of the platform', update: 'Arrange the menus of the platform' },
  },
  {
    resource: 'platform_audit',
    scope: 'ADMIN',
    actions: { list: 'Read the platform’s audit log', export: 'Export the platform’s audit log' },
  },
  { resource: 'console_tenant', scope: 'TENANT', actions: { enter: 'Open the console of the tenant' } },
  {
    resource: 'tenant_role',
    scope: 'TENANT',
    actions: {
      list: 'List the tenant’s roles',
      detail: 'Read a role of the tenant with its permissions',
      create: 'Create roles in the tenant',
      update: 'Change roles of the tenant',
      delete: 'Delete roles of the tenant',
      assign: 'Give and take roles of the tenant',
    },
  },
  {
    resource: 'tenant_org',
    scope: 'TENANT',
    dataScoped: true,
    actions: {
      list: 'List the tenant’s organisation',
      detail: 'Read an organisation node',
      create: 'Create organisation nodes',
      update: 'Change organisation nodes',
      delete: 'Delete organisation nodes',
      move: 'Move organisation nodes',
    },
  },
  { resource: 'tenant_menu', scope: 'TENANT', actions: { list: 'List the menus of the tenant' } },
  {
    resource: 'tenant_audit',
    scope: 'TENANT',
    actions: { list: 'Read the tenant’s audit log', export: 'Export the tenant’s audit log' },
  },
]
