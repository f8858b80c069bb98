/** What this plugin says, in English; its errors say it themselves. */
export const english = {
  'plugin.title': 'System',
  'plugin.description': 'Health, and the description of the interface',
  admin_health: 'System',
}
