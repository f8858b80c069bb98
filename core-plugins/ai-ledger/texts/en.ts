/** What this plugin says, in English; its errors say it themselves. */
export const english = {
  'plugin.title': 'AI ledger',
  'plugin.description': 'Quotas, API keys, usage and costs of AI calls',
  'notice.report_ready': 'The report “{name}” is ready',
  platform_ai_usage: 'AI usage',
  ai_usage_retention_days: 'Each AI call is kept',
}
