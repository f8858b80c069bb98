/** What this plugin says, in English; its errors say it themselves. */
export const english = {
  'plugin.title': 'AI ledger',
  'plugin.description': 'Quotas, API keys, usage and costs of AI calls',
  tenant_api_keys: 'API keys',
  tenant_usage: 'AI usage',
  admin_ai: 'AI',
  admin_ai_quotas: 'Quotas',
  admin_ai_api_keys: 'API keys',
  admin_ai_usage: 'Usage',
  'notice.report_ready': 'The report “{name}” is ready',
  platform_ai_usage: 'AI usage',
  ai_usage_retention_days: 'Each AI call is kept',
}
