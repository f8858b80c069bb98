/** What this plugin says, in English; its errors say it themselves. */
export const english = {
  'plugin.title': 'Access',
  'plugin.description': 'Roles, permissions, the organisation, menus and the audit log',
  admin_people: 'Users & roles',
  admin_roles: 'Roles',
  admin_permissions: 'Permissions',
  admin_system: 'System',
  admin_menus: 'Menus',
  admin_audit: 'Audit',
  tenant_people: 'Users',
  tenant_orgs: 'Organisation',
  tenant_roles: 'Roles',
  tenant_audit: 'Audit',
}
