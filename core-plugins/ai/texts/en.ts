/** What this plugin says, in English; its errors say it themselves. */
export const english = {
  'plugin.title': 'AI',
  'plugin.description': 'Providers and models of AI, and the gateway to them',
  admin_ai_providers: 'Providers',
  admin_ai_models: 'Models',
  admin_ai_gateway: 'Gateway',
  admin_ai_health: 'Health',
  platform_ai: 'AI',
  tenant_ai: 'AI',
  ai_keep_payloads: 'Keep what is said to AI models',
  'ai_keep_payloads.description':
    'In the log of requests, sealed, and only where the platform keeps it at all; gone with the log’s old days',
  ai_currency: 'Currency',
  'ai_currency.description': 'Of prices and costs (ISO 4217); prices that are there are not converted',
}
