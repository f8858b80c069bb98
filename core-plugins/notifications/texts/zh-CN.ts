import type { Translation } from '#kernel'
import type { english } from './en.ts'

/** What this plugin says, in Chinese. */
export const texts: Translation<typeof english> = {
  'plugin.title': '通知',
  'plugin.description': '在控制台中显示给用户的消息',
  admin_notify: '公告',
  'preference.channels': '各类通知的送达方式',
  'preference.muted': '已静音的通知',
  'preference.quiet_hours': '免打扰时段',
  'notice.delivery_email': '邮件的发送方式已更改',
  'notice.delivery_sms': '短信的发送方式已更改',
  'notice.delivery_link': '消息中的链接已指向新的域名',
  'notice.delivery_by': '重置密码的链接今后经由新的方式送达。更改人：{by}',
  'notice.delivery_by_platform': '重置密码的链接今后经由新的方式送达。更改人：平台',
}

/** What its errors say in Chinese, by reason. */
export const errors = {
  notification_not_found: '没有这条通知',
  announcement_not_found: '没有这条公告',
  announcement_times: '公告的结束时间早于开始时间',
  notification_recipient: '没有可通知的用户',
  notification_invalid: '通知的 {field} 无效：{fault}',
}

/** What its permissions let one do, by the sentence in English. */
export const permissions = {
  'Announce something to tenants and staff': '向租户和平台人员发布公告',
  'Announce something to the tenant’s users': '向租户用户发布公告',
  'Read and delete one’s own notifications': '查看和删除自己的通知',
}
