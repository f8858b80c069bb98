import type { ConfigGroupDeclaration } from '#kernel'

/** How long the lines of the audit log live. */
export const groups: readonly ConfigGroupDeclaration[] = [
  {
    code: 'platform_audit',
    name: { default: 'Audit', 'zh-CN': '审计' },
    icon: 'scroll',
    sort: 90,
    scope: 'ADMIN_ONLY',
    items: [
      {
        key: 'audit_retention_days',
        type: 'NUMBER',
        name: { default: 'Life of a line of the log', 'zh-CN': '审计日志保留天数' },
        default: 180,
        required: true,
        rules: { min: 7, max: 3650 },
        ui: { unit: 'days' },
      },
    ],
  },
]
