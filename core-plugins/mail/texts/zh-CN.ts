import type { Translation } from '#kernel'
import type { english } from './en.ts'

/** What this plugin says, in Chinese. */
export const texts: Translation<typeof english> = {
  'sms_code.needs_driver': '需要先配置短信驱动',
  platform_mail: '邮件',
  'platform_mail.description': '平台发送邮件的方式',
  mail_driver: '邮件驱动',
  'mail_driver.log': '仅写日志',
  'mail_driver.smtp': 'SMTP 服务器',
  smtp_host: 'SMTP 主机',
  smtp_port: 'SMTP 端口',
  smtp_security: '加密方式',
  'smtp_security.description': '使用 STARTTLS 或 TLS 时，证书无法验证的服务器不会收到任何内容',
  'smtp_security.none': '不加密',
  smtp_user: 'SMTP 用户名',
  smtp_password: 'SMTP 密码',
  mail_from: '发件人地址',
  platform_sms: '短信',
  'platform_sms.description': '平台发送短信的方式',
  sms_driver: '短信驱动',
  'sms_driver.log': '仅写日志',
  'sms_driver.webhook': 'Webhook',
  sms_webhook_url: 'Webhook 地址',
  sms_webhook_secret: 'Webhook 密钥',
  'sms_webhook_secret.description': '用于签名请求：对 X-Stoa-Timestamp、句点与请求体计算 HMAC-SHA256',
  'plugin.title': '邮件与短信',
  'plugin.description': '邮件与短信的发送',
}

/** What its errors say in Chinese, by reason. */
export const errors = {
  recipient_invalid: '收件人无效',
  mail_or_sms_error: '消息发送失败：{fault}',
  message_refused: '消息被拒收：{fault}',
}
