import type { ConfigGroupDeclaration, ConfigItemDeclaration, Localised } from '#kernel'
import { texts } from '../texts/texts.ts'

const text = (key: string, name: Localised, rest: Partial<ConfigItemDeclaration> = {}) =>
  ({ key, type: 'STRING', name, default: '', ...rest }) as const
const withSmtp = { ui: { visibleWhen: { mail_driver: 'smtp' } } } as const
const withWebhook = { ui: { visibleWhen: { sms_driver: 'webhook' } } } as const

/** How e-mail and SMS leave the platform. */
export const groups: readonly ConfigGroupDeclaration[] = [
  {
    code: 'platform_mail',
    name: texts.of('platform_mail'),
    description: texts.of('platform_mail.description'),
    icon: 'message',
    sort: 110,
    scope: 'ADMIN_ONLY',
    items: [
      {
        key: 'mail_driver',
        type: 'SELECT',
        name: texts.of('mail_driver'),
        default: 'log',
        required: true,
        options: [
          { label: texts.of('mail_driver.log'), value: 'log' },
          { label: texts.of('mail_driver.smtp'), value: 'smtp' },
        ],
      },
      text('smtp_host', texts.of('smtp_host'), { ...withSmtp, rules: { pattern: '^[A-Za-z0-9.:_-]{1,253}$' } }),
      {
        key: 'smtp_port',
        type: 'NUMBER',
        name: texts.of('smtp_port'),
        default: 587,
        required: true,
        rules: { min: 1, max: 65_535 },
        ...withSmtp,
      },
      {
        key: 'smtp_security',
        type: 'SELECT',
        name: texts.of('smtp_security'),
        description: texts.of('smtp_security.description'),
        default: 'starttls',
        required: true,
        options: [
          { label: texts.of('smtp_security.none'), value: 'none' },
          { label: { default: 'STARTTLS' }, value: 'starttls' },
          { label: { default: 'TLS' }, value: 'tls' },
        ],
        ...withSmtp,
      },
      text('smtp_user', texts.of('smtp_user'), { ...withSmtp, rules: { max_length: 255 } }),
      text('smtp_password', texts.of('smtp_password'), {
        ...withSmtp,
        type: 'PASSWORD',
        boundTo: ['smtp_host', 'smtp_port', 'smtp_security'],
      }),
      text('mail_from', texts.of('mail_from'), {
        ...withSmtp,
        rules: { pattern: '^[^\\s"(),:;<>@]{1,64}@[^\\s"(),:;<>@]{1,189}$' },
      }),
    ],
  },
  {
    code: 'platform_sms',
    name: texts.of('platform_sms'),
    description: texts.of('platform_sms.description'),
    icon: 'iphone',
    sort: 120,
    scope: 'ADMIN_ONLY',
    items: [
      {
        key: 'sms_driver',
        type: 'SELECT',
        name: texts.of('sms_driver'),
        default: 'log',
        required: true,
        options: [
          { label: texts.of('sms_driver.log'), value: 'log' },
          { label: texts.of('sms_driver.webhook'), value: 'webhook' },
        ],
      },
      text('sms_webhook_url', texts.of('sms_webhook_url'), {
        ...withWebhook,
        rules: { pattern: '^https?://[^\\s@]{1,2000}$' },
      }),
      text('sms_webhook_secret', texts.of('sms_webhook_secret'), {
        ...withWebhook,
        type: 'PASSWORD',
        boundTo: ['sms_webhook_url'],
        description: texts.of('sms_webhook_secret.description'),
      }),
    ],
  },
]
