/** What this plugin says, in English; its errors say it themselves. */
export const english = {
  'plugin.title': 'Plugin licences',
  'plugin.description': 'Licences and trials of plugins, whom they are for, and when they end',
  'notice.licence_ends_14': 'The licence of {plugin} ends in less than 14 days',
  'notice.licence_ends_3': 'The licence of {plugin} ends in less than 3 days',
  'notice.licence_ends_0': 'The licence of {plugin} ends within a day',
  'notice.licence_grace': 'The licence of {plugin} has ended: everything goes on until its grace is over',
  'notice.licence_over': 'The licence of {plugin} is over: it can be read and does nothing else',
  'notice.licence_end': 'End: {end} UTC',
  'notice.licence_tenants': 'Tenants: {tenants}',
  'notice.licence_end_tenants': 'End: {end} UTC. Tenants: {tenants}',
}
