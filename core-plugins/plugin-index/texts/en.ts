/** What this plugin says, in English; its errors say it themselves. */
export const english = {
  'plugin.title': 'Plugin index',
  'plugin.description': 'Index sources of plugins, publishers that are trusted, and what they update and revoke',
  admin_plugin_sources: 'Plugin sources',
  admin_updates: 'Updates',
  admin_marketplace: 'Marketplace',
}
