/** What this plugin says, in English; its errors say it themselves. */
export const english = {
  'plugin.title': 'Memory',
  'plugin.description': 'What agents remember of each user, which only this user sees and can correct',
  tenant_memory: 'Memory',
  ai_memory: 'Agents remember',
  'ai_memory.description': 'What users say of themselves, for their own later conversations; nobody else sees it',
  ai_memory_model: 'Model that learns',
  'ai_memory_model.description': 'By name; the agent’s own where this is empty',
  ai_memory_retention_days: 'Forget what was not used for',
  'ai_memory_retention_days.description': '0 keeps it until it is deleted',
  'preference.ai_memory': 'Agents remember me',
  memory_save: 'Remember',
}
