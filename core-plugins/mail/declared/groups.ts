import type { ConfigGroupDeclaration, ConfigItemDeclaration } from '#kernel'

const text = (key: string, english: string, chinese: string, rest: Partial<ConfigItemDeclaration> = {}) =>
  ({ key, type: 'STRING', name: { default: english, 'zh-CN': chinese }, default: '', ...rest }) as const
const withSmtp = { ui: { visibleWhen: { mail_driver: 'smtp' } } } as const
const withWebhook = { ui: { visibleWhen: { sms_driver: 'webhook' } } } as const

/** How e-mail and SMS leave the platform. */
export const groups: readonly ConfigGroupDeclaration[] = [
  {
    code: 'platform_mail',
    name: { default: 'E-mail', 'zh-CN': '邮件' },
    description: { default: 'How e-mail leaves the platform', 'zh-CN': '平台发送邮件的方式' },
    icon: 'message',
    sort: 110,
    scope: 'ADMIN_ONLY',
    items: [
      {
        key: 'mail_driver',
        type: 'SELECT',
        name: { default: 'Driver', 'zh-CN': '邮件驱动' },
        default: 'log',
        required: true,
        options: [
          { label: { default: 'Log only', 'zh-CN': '仅写日志' }, value: 'log' },
          { label: { default: 'SMTP server', 'zh-CN': 'SMTP 服务器' }, value: 'smtp' },
        ],
      },
      text('smtp_host', 'SMTP host', 'SMTP 主机', { ...withSmtp, rules: { pattern: '^[A-Za-z0-9.:_-]{1,253}$' } }),
      {
        key: 'smtp_port',
        type: 'NUMBER',
        name: { default: 'SMTP port', 'zh-CN': 'SMTP 端口' },
        default: 587,
        required: true,
        rules: { min: 1, max: 65_535 },
        ...withSmtp,
      },
      {
        key: 'smtp_security',
        type: 'SELECT',
        name: { default: 'Encryption', 'zh-CN': '加密方式' },
        description: {
          default: 'With STARTTLS and TLS nothing is sent to a server whose certificate does not verify',
          'zh-CN': '使用 STARTTLS 或 TLS 时，证书无法验证的服务器不会收到任何内容',
        },
        default: 'starttls',
        required: true,
        options: [
          { label: { default: 'None', 'zh-CN': '不加密' }, value: 'none' },
          { label: { default: 'STARTTLS' }, value: 'starttls' },
          { label: { default: 'TLS' }, value: 'tls' },
        ],
        ...withSmtp,
      },
      text('smtp_user', 'SMTP user', 'SMTP 用户名', { ...withSmtp, rules: { max_length: 255 } }),
      text('smtp_password', 'SMTP password', 'SMTP 密码', {
        ...withSmtp,
        type: 'PASSWORD',
        boundTo: ['smtp_host', 'smtp_port', 'smtp_security'],
      }),
      text('mail_from', 'Sender address', '发件人地址', {
        ...withSmtp,
        rules: { pattern: '^[^\\s"(),:;<>@]{1,64}@[^\\s"(),:;<>@]{1,189}$' },
      }),
    ],
  },
  {
    code: 'platform_sms',
    name: { default: 'SMS', 'zh-CN': '短信' },
    description: { default: 'How text messages leave the platform', 'zh-CN': '平台发送短信的方式' },
    icon: 'iphone',
    sort: 120,
    scope: 'ADMIN_ONLY',
    items: [
      {
        key: 'sms_driver',
        type: 'SELECT',
        name: { default: 'Driver', 'zh-CN': '短信驱动' },
        default: 'log',
        required: true,
        options: [
          { label: { default: 'Log only', 'zh-CN': '仅写日志' }, value: 'log' },
          { label: { default: 'Webhook', 'zh-CN': 'Webhook' }, value: 'webhook' },
        ],
      },
      text('sms_webhook_url', 'Webhook URL', 'Webhook 地址', {
        ...withWebhook,
        rules: { pattern: '^https?://[^\\s@]{1,2000}$' },
      }),
      text('sms_webhook_secret', 'Webhook secret', 'Webhook 密钥', {
        ...withWebhook,
        type: 'PASSWORD',
        boundTo: ['sms_webhook_url'],
        description: {
          default: 'Signs each request: HMAC-SHA256 of X-Stoa-Timestamp, a full stop and the body',
          'zh-CN': '用于签名请求：对 X-Stoa-Timestamp、句点与请求体计算 HMAC-SHA256',
        },
      }),
    ],
  },
]
