/** What this plugin says, in English; its errors say it themselves. */
export const english = {
  'plugin.title': 'Jobs',
  'plugin.description': 'Work that outlives a request and the host that took it',
  'notice.job_hosts_died': 'The hosts that ran it died, or could not say how it ended',
}
