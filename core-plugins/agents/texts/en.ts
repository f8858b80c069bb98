/** What this plugin says, in English; its errors say it themselves. */
export const english = {
  'plugin.title': 'Agents',
  'plugin.description': 'AI agents: made by administrators, published in versions, used by those who may',
  tenant_agents: 'Agents',
}
