/** What this plugin says, in English; its errors say it themselves. */
export const english = {
  'allow_list.own_address': 'would shut you out: it lacks your own address {ip}',
  'allow_list.entry': '{entry} is no address or network',
  'plugin.title': 'Sign-in',
  'plugin.description': 'Sign-in, tokens and sessions',
}
