import type { Translation } from '#kernel'
import type { english } from './en.ts'

/** What this plugin says, in Chinese. */
export const texts: Translation<typeof english> = {
  'plugin.title': 'AI 账本',
  'plugin.description': 'AI 调用的配额、API 密钥、用量与费用',
  tenant_api_keys: 'API 密钥',
  tenant_usage: 'AI 用量',
  admin_ai: '人工智能',
  admin_ai_quotas: '配额',
  admin_ai_api_keys: 'API 密钥',
  admin_ai_usage: '用量',
  'notice.report_ready': '报告“{name}”已完成',
  platform_ai_usage: 'AI 用量',
  ai_usage_retention_days: 'AI 调用明细保留天数',
}

/** What its errors say in Chinese, by reason. */
export const errors = {
  ai_ledger_params_invalid: '请求中有不成立的内容',
  api_key_invalid: 'API 密钥无效',
  api_key_expired: 'API 密钥已过期',
  api_key_address: '该 API 密钥不允许从此地址调用',
  quota_not_found: '没有这个配额',
  api_key_not_found: '没有这个 API 密钥',
  ai_report_not_found: '没有这份报告',
  quota_is_platforms: '该配额由平台设置，只能由平台修改',
}
