import type { ConfigGroupDeclaration } from '#kernel'
import { texts } from '../texts/texts.ts'

/** How long the lines of the audit log live. */
export const groups: readonly ConfigGroupDeclaration[] = [
  {
    code: 'platform_audit',
    name: texts.of('platform_audit'),
    icon: 'scroll',
    sort: 90,
    scope: 'ADMIN_ONLY',
    items: [
      {
        key: 'audit_retention_days',
        type: 'NUMBER',
        name: texts.of('audit_retention_days'),
        default: 180,
        required: true,
        rules: { min: 7, max: 3650 },
        ui: { unit: 'days' },
      },
    ],
  },
]
