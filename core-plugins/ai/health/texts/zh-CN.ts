import type { Translation } from '#kernel'
import type { english } from './en.ts'

/** What health says, in Chinese. */
export const texts: Translation<typeof english> = {
  'notice.alert_raised': 'AI 告警：{name}',
  'notice.alert_resolved': 'AI 告警已解除：{name}',
  'notice.auth_failed': 'AI 供应商 {name} 拒绝了其凭据',
  'notice.secrets_undecryptable': '没有密钥能解开 AI 供应商 {name} 的机密，请重新填写',
  'notice.canary_aborted': '灰度版本 {name} 失败过多，已终止',
  'notice.fallback': 'AI 路由 {route} 的调用改由 {model} 应答：{why}',
  'notice.alert_value': '{metric}：{value}',
}

/** What its errors say in Chinese, by reason. */
export const errors = {}
