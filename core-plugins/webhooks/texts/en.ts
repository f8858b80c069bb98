/** What this plugin says, in English; its errors say it themselves. */
export const english = {
  'plugin.title': 'Web hooks',
  'plugin.description': 'Sends events to servers of tenants, of the platform and of users, signed',
  'notice.paused': 'The web hook “{name}” is paused',
  'notice.paused_gone': 'Its server said that it wants nothing any more (410). Resume it when it does again.',
  'notice.paused_failing': 'Its server has not taken events for too long. What was not delivered stands in its log.',
  'notice.paused_no_reader': 'Who made it may not see its events any more. Whoever changes it takes it over.',
}
