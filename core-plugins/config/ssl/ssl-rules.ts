import type { ConfigObjection } from '../contract.ts'
import { texts } from '../texts/texts.ts'

/** What can be wrong with the platform's HTTPS settings: rule → the item it is said of. */
const keys = {
  mode_off: 'ssl_mode',
  needs_ssl: 'ssl_force_redirect',
  certificate_required: 'ssl_certificate',
  private_key_required: 'ssl_private_key',
  not_pem: 'ssl_certificate',
  holds_private_key: 'ssl_certificate',
  leaf_not_first: 'ssl_certificate',
  chain_broken: 'ssl_certificate',
  not_valid_yet: 'ssl_certificate',
  expired: 'ssl_certificate',
  weak_key: 'ssl_certificate',
  domain_not_covered: 'ssl_certificate',
  not_a_key: 'ssl_private_key',
  key_mismatch: 'ssl_private_key',
  email_required: 'ssl_email',
  domain_not_public: 'ssl_domains',
  wildcard_needs_dns: 'ssl_wildcard',
  dns_provider_required: 'ssl_dns_provider',
} as const

/** A rule of the platform's HTTPS settings. */
type SslRule = keyof typeof keys

/** Says that a rule is broken. */
export function sslObjection(rule: SslRule, params: Readonly<Record<string, string | number>> = {}): ConfigObjection {
  return { key: keys[rule], rule, message: texts.of(`ssl.${rule}`), params }
}
