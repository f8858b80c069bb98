import { definePlugin, kernelStarted } from '#kernel'
import { audit } from '../access/contract.ts'
import { configReader } from '../config/contract.ts'

const day = 24 * 60 * 60_000
const hour = 60 * 60_000

// A plugin of its own, since configuration needs the log itself.
export default definePlugin({
  name: 'retention',
  version: '1.0.0',
  title: { default: 'Retention of the audit log', 'zh-CN': '审计日志保留' },
  description: { default: 'Deletes old lines of the audit log', 'zh-CN': '删除过期的审计日志' },
  config: [
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
  ],
  needs: { config: configReader, audit },
  setup(scope, { config, audit }) {
    const sweep = async (): Promise<void> => {
      const days = await config.get<number>('audit_retention_days', 0, 180)
      const deleted = await audit.deleteBefore(new Date(Date.now() - days * day))
      if (deleted > 0) scope.log.info({ deleted }, 'old lines of the audit log are deleted')
    }
    scope.on(kernelStarted, sweep)
    scope.every(hour, sweep)
  },
})
