/** What this plugin says, in English; its errors say it themselves. */
export const english = {
  'plugin.title': 'Events of plugins',
  'plugin.description': 'The durable queue of events between plugins, and of those of the platform that plugins hear',
  'notice.event_refused': 'The tenant does not let the plugin have events any more',
  'notice.event_unlicensed': 'The plugin was not licensed for too long',
}
