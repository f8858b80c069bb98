import type { Translation } from '#kernel'
import type { english } from './en.ts'

/** What this plugin says, in Chinese. */
export const texts: Translation<typeof english> = {
  platform_audit: '审计',
  audit_retention_days: '审计日志保留天数',
  'plugin.title': '审计日志保留',
  'plugin.description': '删除过期的审计日志',
}
