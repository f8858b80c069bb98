/** What this plugin says, in English; its errors say it themselves. */
export const english = {
  'plugin.title': 'Users',
  'plugin.description': 'Users of the platform and of tenants',
  admin_users: 'Users',
  tenant_users: 'Users',
  user_profile: 'Profile',
  'role.user': 'User',
  'default_role.options': 'Must be a role that gives no more than users hold',
}
