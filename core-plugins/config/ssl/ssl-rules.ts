import type { Localised } from '#kernel'
import type { ConfigObjection } from '../contract.ts'
import { localised } from '../declared/localised.ts'

/** What can be wrong with the platform's HTTPS settings: rule → the item it is said of, and the sentence. */
const rules = {
  mode_off: ['ssl_mode', 'Choose where certificates come from', '请选择证书来源'],
  needs_ssl: ['ssl_force_redirect', 'Needs HTTPS to be on', '需要先启用 HTTPS'],
  certificate_required: ['ssl_certificate', 'Must not be empty', '不能为空'],
  private_key_required: ['ssl_private_key', 'Must not be empty', '不能为空'],
  not_pem: ['ssl_certificate', 'Must be a chain of certificates in PEM', '必须是 PEM 格式的证书链'],
  holds_private_key: ['ssl_certificate', 'Must not hold a private key', '不能包含私钥'],
  leaf_not_first: ['ssl_certificate', 'The site’s own certificate must stand first', '站点证书必须在最前'],
  chain_broken: [
    'ssl_certificate',
    'Certificate {position} was not issued by the one after it',
    '第 {position} 张证书不是由其后的证书签发',
  ],
  not_valid_yet: ['ssl_certificate', 'Is not valid before {date}', '在 {date} 之前无效'],
  expired: ['ssl_certificate', 'Was valid until {date}', '已于 {date} 过期'],
  weak_key: [
    'ssl_certificate',
    'The key must be RSA with 2048 bits or more, P-256, P-384 or Ed25519',
    '密钥必须是 2048 位以上的 RSA、P-256、P-384 或 Ed25519',
  ],
  domain_not_covered: ['ssl_certificate', 'Does not cover {domain}', '不包含域名 {domain}'],
  not_a_key: ['ssl_private_key', 'Must be a private key in PEM without a passphrase', '必须是无口令的 PEM 私钥'],
  key_mismatch: ['ssl_private_key', 'Is not the key of the certificate', '与证书不匹配'],
  email_required: ['ssl_email', 'Must not be empty', '不能为空'],
  domain_not_public: [
    'ssl_domains',
    'No authority gives a certificate for {domain}',
    '证书机构不会为 {domain} 签发证书',
  ],
  wildcard_needs_dns: ['ssl_wildcard', 'Needs ACME over DNS', '泛域名需要 DNS 验证'],
  dns_provider_required: ['ssl_dns_provider', 'Must not be empty', '不能为空'],
} as const satisfies Readonly<Record<string, readonly [key: string, english: string, chinese: string]>>

/** A rule of the platform's HTTPS settings. */
export type SslRule = keyof typeof rules

/** Says that a rule is broken. */
export function sslObjection(rule: SslRule, params: Readonly<Record<string, string | number>> = {}): ConfigObjection {
  const [key, english, chinese] = rules[rule]
  const message: Localised = localised(english, chinese)
  return { key, rule, message, params }
}
