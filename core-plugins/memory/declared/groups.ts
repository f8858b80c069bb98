import type { ConfigGroupDeclaration } from '#kernel'
import { texts } from '../texts/texts.ts'

/** What tenants say of what agents remember. */
export const groups: readonly ConfigGroupDeclaration[] = [
  {
    code: 'tenant_memory',
    name: texts.of('tenant_memory'),
    icon: 'brain',
    sort: 185,
    scope: 'ALL_TENANTS',
    items: [
      {
        key: 'ai_memory',
        type: 'BOOLEAN',
        name: texts.of('ai_memory'),
        description: texts.of('ai_memory.description'),
        default: true,
        required: true,
      },
      {
        key: 'ai_memory_model',
        type: 'STRING',
        name: texts.of('ai_memory_model'),
        description: texts.of('ai_memory_model.description'),
        default: '',
        rules: { max_length: 200 },
      },
      {
        key: 'ai_memory_retention_days',
        type: 'NUMBER',
        name: texts.of('ai_memory_retention_days'),
        description: texts.of('ai_memory_retention_days.description'),
        default: 0,
        required: true,
        rules: { min: 0, max: 3650 },
        ui: { unit: 'days' },
      },
    ],
  },
]
