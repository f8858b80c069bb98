import type { ConfigGroupDeclaration } from '#kernel'
import { texts } from './texts/texts.ts'

/** How long the ledger is kept. */
export const groups: readonly ConfigGroupDeclaration[] = [
  {
    code: 'platform_ai_usage',
    name: texts.of('platform_ai_usage'),
    icon: 'receipt',
    sort: 95,
    scope: 'ADMIN_ONLY',
    items: [
      {
        key: 'ai_usage_retention_days',
        type: 'NUMBER',
        name: texts.of('ai_usage_retention_days'),
        default: 400,
        required: true,
        rules: { min: 31, max: 3650 },
        ui: { unit: 'days' },
      },
    ],
  },
]
