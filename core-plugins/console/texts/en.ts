/** What this plugin says, in English; its pages have texts of their own. */
export const english = {
  'plugin.title': 'Console',
  'plugin.description': 'The web pages of the platform, for administrators, tenants and users',
  admin_api: 'API',
  'preference.getting_started': 'First steps in the console',
  'preference.tables': 'Columns of tables',
  'preference.views': 'Saved views of lists',
  'preference.dashboard': 'Cards of the dashboard',
  'preference.recent': 'Pages lately opened',
  'preference.open_pages': 'Bar of the pages that are open',
  'preference.shortcuts': 'Single keys as shortcuts',
  admin_dashboard: 'Dashboard',
  tenant_dashboard: 'Dashboard',
}
