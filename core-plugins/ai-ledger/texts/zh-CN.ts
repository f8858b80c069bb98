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
  'is none of this list': '不属于该列表',
  'is not after from': '必须晚于起始时间',
}

/** What its permissions let one do, by the sentence in English. */
export const permissions = {
  'List the quotas of the platform and of all tenants': '列出平台和所有租户的配额',
  'Read a quota': '查看配额',
  'Set quotas for the platform and for tenants': '为平台和租户设置配额',
  'Change and suspend quotas': '修改和暂停配额',
  'See how much of a quota is used, by whom and in which window': '查看配额的用量、使用者和时间窗口',
  'Set what is used of a quota to another figure': '调整配额的已用量',
  'List the API keys of the platform and of all tenants': '列出平台和所有租户的 API 密钥',
  'Read an API key, without its secret': '查看 API 密钥（不含密文）',
  'Make API keys': '创建 API 密钥',
  'Change API keys': '修改 API 密钥',
  'Disable API keys': '停用 API 密钥',
  'Give API keys another secret': '轮换 API 密钥',
  'See what AI calls used, over all tenants': '查看所有租户的 AI 调用用量',
  'See what AI calls cost': '查看 AI 调用费用',
  'Download the ledger of AI calls': '下载 AI 调用账单',
  'Have reports of usage and costs made': '生成用量和费用报告',
  'See the quotas that hold for the tenant': '查看租户适用的配额',
  'Set quotas within the tenant': '设置租户内的配额',
  'Change and suspend the tenant’s own quotas': '修改和暂停租户自己的配额',
  'Set what is used of the tenant’s own quotas to another figure': '调整租户自己配额的已用量',
  'List and read the tenant’s API keys, without their secrets': '列出和查看租户的 API 密钥（不含密文）',
  'Make API keys for the tenant': '为租户创建 API 密钥',
  'Change the tenant’s API keys': '修改租户的 API 密钥',
  'Disable the tenant’s API keys': '停用租户的 API 密钥',
  'Give the tenant’s API keys another secret': '轮换租户的 API 密钥',
  'See, download and have reported what the tenant’s AI calls used and cost':
    '查看、下载租户 AI 调用的用量和费用，并生成报告',
}
