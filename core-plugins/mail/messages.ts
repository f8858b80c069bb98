/** The plugin's texts in other languages than English, by reason. */
export const messages = {
  'zh-CN': {
    recipient_invalid: '收件人无效',
    mail_or_sms_error: '消息发送失败：{fault}',
    message_refused: '消息被拒收：{fault}',
  },
} as const
