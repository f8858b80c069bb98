/** What this plugin says, in English; its errors say it themselves. */
export const english = {
  'plugin.title': 'What plugins offer',
  'plugin.description': 'Tools, AI providers, captchas, storage drivers, preferences and pages that plugins bring',
  'storage.driver':
    'Of the plugin {plugin}. Files go through the platform in pieces: no direct links, no uploads in parts, no images made by the service.',
}
