import type { ConfigGroupDeclaration } from '#kernel'
import { switchItem } from './items.ts'
import { localised } from './localised.ts'

const domain = '(\\*\\.)?[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?(\\.[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*'

/** How the platform's domains are served over HTTPS. */
export const platformSsl: ConfigGroupDeclaration = {
  code: 'platform_ssl',
  name: localised('HTTPS', 'HTTPS 证书'),
  description: localised('Certificates of the platform’s domains', '平台域名的证书'),
  icon: 'key',
  sort: 35,
  scope: 'ADMIN_ONLY',
  items: [
    switchItem('ssl_enabled', ['HTTPS', '启用 HTTPS'], false),
    {
      key: 'ssl_mode',
      type: 'SELECT',
      name: localised('Where certificates come from', '证书来源'),
      default: 'off',
      required: true,
      options: [
        { label: localised('Nowhere', '关闭'), value: 'off' },
        { label: localised('Uploaded', '手动上传'), value: 'manual' },
        { label: localised('ACME over HTTP', 'ACME（HTTP 验证）'), value: 'acme_http01' },
        { label: localised('ACME over DNS', 'ACME（DNS 验证）'), value: 'acme_dns01' },
      ],
    },
    {
      key: 'ssl_email',
      type: 'STRING',
      name: localised('E-mail for the certificate authority', '证书机构联系邮箱'),
      default: '',
      rules: { pattern: '^[^\\s@]{1,64}@[^\\s@]{1,190}\\.[^\\s@.]{2,63}$' },
      ui: { visibleWhen: { ssl_mode: ['acme_http01', 'acme_dns01'] } },
    },
    {
      key: 'ssl_certificate',
      type: 'TEXT',
      name: localised('Certificate chain (PEM), the site’s own first', '证书链（PEM，站点证书在前）'),
      default: '',
      rules: { max_length: 100_000 },
      ui: { visibleWhen: { ssl_mode: 'manual' } },
    },
    {
      key: 'ssl_private_key',
      type: 'PASSWORD',
      name: localised('Private key (PEM)', '私钥（PEM）'),
      rules: { max_length: 20_000 },
      ui: { visibleWhen: { ssl_mode: 'manual' } },
    },
    {
      key: 'ssl_domains',
      type: 'TAG',
      name: localised('Domains', '域名'),
      description: localised('Empty means the platform’s domains', '留空则为平台域名'),
      default: [],
      rules: { pattern: `^${domain}$`, max_length: 100 },
    },
    switchItem('ssl_wildcard', ['Also every tenant’s subdomain', '包含租户子域名（泛域名）'], false),
    switchItem('ssl_force_redirect', ['Send HTTP to HTTPS', 'HTTP 跳转到 HTTPS'], false),
    switchItem('ssl_auto_renew', ['Renew by itself', '自动续期'], true),
    {
      key: 'ssl_dns_provider',
      type: 'SELECT',
      name: localised('DNS provider', 'DNS 服务商'),
      default: '',
      dynamicOptions: true,
      options: [],
      ui: { visibleWhen: { ssl_mode: 'acme_dns01' } },
    },
    {
      key: 'ssl_dns_credentials',
      type: 'PASSWORD',
      boundTo: ['ssl_dns_provider'],
      name: localised('Credentials of the DNS provider', 'DNS 服务商凭证'),
      ui: { visibleWhen: { ssl_mode: 'acme_dns01' } },
    },
  ],
}
