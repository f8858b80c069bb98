/** What this plugin says, in English; its errors say it themselves. */
export const english = {
  'plugin.title': 'Schedules of plugins',
  'plugin.description': 'Runs what plugins want to do at certain times, once across all hosts',
  'notice.run_hosts_died': 'Its hosts died before it ended',
  'notice.run_cancelled': 'It was cancelled',
}
