import type { Translation } from '#kernel'
import type { english } from './en.ts'

/** What this plugin says, in Chinese. */
export const texts: Translation<typeof english> = {
  'plugin.title': '人工智能',
  'plugin.description': 'AI 供应商、模型及其网关',
  admin_ai_providers: '供应商',
  admin_ai_models: '模型',
  admin_ai_gateway: '网关',
  admin_ai_health: '健康',
  platform_ai: '人工智能',
  tenant_ai: '人工智能',
  ai_keep_payloads: '保留发给 AI 模型的内容',
  'ai_keep_payloads.description': '加密保存在请求日志中，且仅在平台启用保留时生效；随日志一同到期删除',
  ai_currency: '货币',
  'ai_currency.description': '价格与费用使用的货币（ISO 4217）；更改后不会换算已有价格',
}

/** What its errors say in Chinese, by reason. */
export const errors = {
  ai_params_invalid: 'AI 参数有误',
  provider_not_found: '没有这个供应商',
  model_not_found: '没有这个模型',
  ai_route_not_found: '没有这条路由',
  ai_markup_not_found: '该租户按模型原价付费',
  model_in_use: '仍有路由或智能体使用该模型',
  provider_in_use: '仍有模型使用该供应商',
  provider_code_taken: '已有使用此代码的供应商',
  ai_alert_rule_not_found: '没有这条告警规则',
  'rule.most': '规则已达上限',
  api_key_scope: '此密钥不可用于 {scope}',
  'rule.https': '必须使用 https；只有运维人员放行的主机可以使用 http',
  'rule.address_forbidden': '该主机不在公共互联网上，且未被运维人员放行',
  'rule.secret_header': '机密请放入 credentials，不要放入 headers',
  'rule.reserved_header': '该请求头由平台设置',
  'rule.secret_again': '地址已更改，请在同一次请求中重新填写该机密',
  'rule.not_for_type': '不适用于此类型的供应商',
  'rule.plugin_provider': '没有插件为此提供该供应商',
  'rule.own_tenant': '只能是自己的租户',
  'rule.taken': '名称已被其他模型使用',
  'rule.later': '必须晚于开始时间',
  'rule.whole': '必须同时给出输入与输出价格',
  'rule.alone': 'activate_version 必须单独使用',
  'rule.one_enabled': '至少需要一个启用的目标',
  'rule.unique_ids': '每个目标必须有不同的标识',
  'rule.weight': '每一层至少有一个目标的权重大于 0',
  'rule.circle': '回退形成了循环',
  'rule.order': '数值的先后大小不对',
}
