/** What this plugin says, in English; its errors say it themselves. */
export const english = {
  'plugin.title': 'Knowledge bases',
  'plugin.description': 'Documents of a tenant, found by what they say, for agents and people who may read them',
  tenant_knowledge: 'Knowledge bases',
}
