/** Texts of this plugin's errors in other languages; English stands in the errors themselves. */
export const messages = {
  'zh-CN': {
    notification_not_found: '没有这条通知',
    notification_recipient: '没有可通知的用户',
    notification_invalid: '通知的 {field} 无效：{fault}',
  },
} as const
