/** What this plugin says, in English; its errors say it themselves. */
export const english = {
  'plugin.title': 'Usage of plugins',
  'plugin.description': 'What plugins cost over all hosts, by tenant and by hour, and why their code failed',
}
