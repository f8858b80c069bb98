import type { ConfigGroupDeclaration } from '#kernel'
import { texts } from '../texts/texts.ts'

/** What the platform says of AI as a whole. */
export const groups: readonly ConfigGroupDeclaration[] = [
  {
    code: 'platform_ai',
    name: texts.of('platform_ai'),
    icon: 'sparkles',
    sort: 95,
    scope: 'ADMIN_ONLY',
    items: [
      {
        key: 'ai_currency',
        type: 'STRING',
        name: texts.of('ai_currency'),
        description: texts.of('ai_currency.description'),
        default: 'USD',
        required: true,
        rules: { pattern: '^[A-Z]{3}$' },
      },
    ],
  },
  {
    code: 'tenant_ai',
    name: texts.of('tenant_ai'),
    icon: 'sparkles',
    sort: 155,
    scope: 'ALL_TENANTS',
    items: [
      {
        key: 'ai_keep_payloads',
        type: 'BOOLEAN',
        name: texts.of('ai_keep_payloads'),
        description: texts.of('ai_keep_payloads.description'),
        default: false,
        required: true,
      },
    ],
  },
]
