import type { ConfigGroupDeclaration } from '#kernel'
import { switchItem } from './items.ts'
import { texts } from './texts/texts.ts'

const domain = '(\\*\\.)?[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?(\\.[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*'

/** How the platform's domains are served over HTTPS. */
export const platformSsl: ConfigGroupDeclaration = {
  code: 'platform_ssl',
  name: texts.of('platform_ssl'),
  description: texts.of('platform_ssl.description'),
  icon: 'key',
  sort: 35,
  scope: 'ADMIN_ONLY',
  items: [
    switchItem('ssl_enabled', texts.of('ssl_enabled'), false),
    {
      key: 'ssl_mode',
      type: 'SELECT',
      name: texts.of('ssl_mode'),
      default: 'off',
      required: true,
      options: [
        { label: texts.of('ssl_mode.off'), value: 'off' },
        { label: texts.of('ssl_mode.manual'), value: 'manual' },
        { label: texts.of('ssl_mode.acme_http01'), value: 'acme_http01' },
        { label: texts.of('ssl_mode.acme_dns01'), value: 'acme_dns01' },
      ],
    },
    {
      key: 'ssl_email',
      type: 'STRING',
      name: texts.of('ssl_email'),
      default: '',
      rules: { pattern: '^[^\\s@]{1,64}@[^\\s@]{1,190}\\.[^\\s@.]{2,63}$' },
      ui: { visibleWhen: { ssl_mode: ['acme_http01', 'acme_dns01'] } },
    },
    {
      key: 'ssl_certificate',
      type: 'TEXT',
      name: texts.of('ssl_certificate'),
      default: '',
      rules: { max_length: 100_000 },
      ui: { visibleWhen: { ssl_mode: 'manual' } },
    },
    {
      key: 'ssl_private_key',
      type: 'PASSWORD',
      name: texts.of('ssl_private_key'),
      rules: { max_length: 20_000 },
      ui: { visibleWhen: { ssl_mode: 'manual' } },
    },
    {
      key: 'ssl_domains',
      type: 'TAG',
      name: texts.of('ssl_domains'),
      description: texts.of('ssl_domains.description'),
      default: [],
      rules: { pattern: `^${domain}$`, max_length: 100 },
    },
    switchItem('ssl_wildcard', texts.of('ssl_wildcard'), false),
    switchItem('ssl_force_redirect', texts.of('ssl_force_redirect'), false),
    switchItem('ssl_auto_renew', texts.of('ssl_auto_renew'), true),
    {
      key: 'ssl_dns_provider',
      type: 'SELECT',
      name: texts.of('ssl_dns_provider'),
      default: '',
      dynamicOptions: true,
      options: [],
      ui: { visibleWhen: { ssl_mode: 'acme_dns01' } },
    },
    {
      key: 'ssl_dns_credentials',
      type: 'PASSWORD',
      boundTo: ['ssl_dns_provider'],
      name: texts.of('ssl_dns_credentials'),
      ui: { visibleWhen: { ssl_mode: 'acme_dns01' } },
    },
  ],
}
