/** What this plugin says, in English; its errors say it themselves. */
export const english = {
  'plugin.title': 'First run',
  'plugin.description': 'Gives a new platform its administrator and a demo tenant, and says what to open',
}
