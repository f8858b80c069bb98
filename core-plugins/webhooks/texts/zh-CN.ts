import type { Translation } from '#kernel'
import type { english } from './en.ts'

/** What this plugin says, in Chinese. */
export const texts: Translation<typeof english> = {
  'plugin.title': 'Webhook',
  'plugin.description': '将事件签名后发送到租户、平台和用户的服务器',
  'notice.paused': 'Webhook“{name}”已暂停',
  'notice.paused_gone': '对方服务器表示不再接收（410）。需要时请恢复。',
  'notice.paused_failing': '对方服务器长时间未接收事件。未送达的事件保留在日志中。',
  'notice.paused_no_reader': '创建者已无权查看其事件。修改它的人将成为新的负责人。',
}

/** What its errors say in Chinese, by reason. */
export const errors = {
  webhook_not_found: '没有这个 Webhook',
  webhook_delivery_not_found: '没有这条投递记录',
  webhook_invalid: 'Webhook 无法这样保存',
  webhook_paused: 'Webhook 已暂停，请先恢复',
  webhooks_most: '已有 {most} 个 Webhook',
}

/** What its permissions let one do, by the sentence in English. */
export const permissions = {
  'List web hooks and what was sent to them': '列出 Webhook 及其发送记录',
  'Add web hooks': '添加 Webhook',
  'Change, test, pause and resume web hooks, renew their secrets, and send again':
    '修改、测试、暂停和恢复 Webhook，更换密钥并重新发送',
  'Delete web hooks': '删除 Webhook',
}
