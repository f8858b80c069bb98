/** What this plugin says, in English; its errors say it themselves. */
export const english = {
  'plugin.title': 'Real time',
  'plugin.description': 'Brings events to browsers and other clients as they happen',
}
