import { fillTemplate, pickText } from '#kernel'
import type { ConfigCheck, ConfigObjection, ConfigReader } from '../contract.ts'
import { alternativeNames, checkChain, coversDomain, readChain } from './certificate-chain.ts'
import { isPublicName } from './public-name.ts'
import { sslObjection } from './ssl-rules.ts'
import { texts } from '../texts/texts.ts'

/** The group of the platform's HTTPS settings. */
export const sslGroup = 'platform_ssl'

/** Days before the end of a certificate at which it is time to say so. */
const warningDays = 14
const dayMilliseconds = 86_400_000

/** The values of the group. */
export interface SslSettings {
  readonly ssl_enabled: boolean
  readonly ssl_mode: 'off' | 'manual' | 'acme_http01' | 'acme_dns01'
  readonly ssl_email: string
  readonly ssl_certificate: string
  readonly ssl_private_key: string
  readonly ssl_domains: readonly string[]
  readonly ssl_wildcard: boolean
  readonly ssl_force_redirect: boolean
  readonly ssl_dns_provider: string
}

/** Which domains need a certificate: the named ones or the platform's, and with a wildcard every tenant's. */
export async function certificateDomains(
  settings: Pick<SslSettings, 'ssl_domains' | 'ssl_wildcard'>,
  reader: ConfigReader,
): Promise<readonly string[]> {
  const named = settings.ssl_domains
  const domains = named.length > 0 ? named : await reader.get<readonly string[]>('platform_domains')
  const suffix = settings.ssl_wildcard ? await reader.get<string>('tenant_domain_suffix') : ''
  return [...new Set([...domains, ...(suffix === '' ? [] : [`*.${suffix}`])])]
}

/** The check of the group as a whole, asked before it is written. */
export function createSslCheck(reader: ConfigReader): ConfigCheck {
  return {
    groups: [sslGroup],
    async check({ values }) {
      const settings = values as unknown as SslSettings
      return checkSettings(settings, await certificateDomains(settings, reader), new Date())
    },
  }
}

/** What the group's detail says of the certificate as it stands. */
export function createSslValidation(reader: ConfigReader) {
  return async (values: Readonly<Record<string, unknown>>, locale: string) => {
    const settings = values as unknown as SslSettings
    const now = new Date()
    const objections = checkSettings(settings, await certificateDomains(settings, reader), now)
    const leaf = settings.ssl_mode === 'manual' ? readChain(settings.ssl_certificate)?.[0] : undefined
    const soon = leaf && leaf.validToDate.getTime() - now.getTime() < warningDays * dayMilliseconds
    const isOver = objections.some(({ rule }) => rule === 'expired')
    const faults = objections.map(({ rule, message, params = {} }) => {
      return { reason: rule, message: fillTemplate(pickText(message, locale), params) }
    })
    return {
      ok: objections.length === 0,
      not_after: leaf?.validToDate.toISOString() ?? null,
      issuer: leaf?.issuer.replaceAll('\n', ', ') ?? null,
      subject_alt_names: leaf ? alternativeNames(leaf) : [],
      warnings: soon && !isOver ? [...faults, expiresSoon(leaf.validToDate, locale)] : faults,
    }
  }
}

function checkSettings(settings: SslSettings, domains: readonly string[], now: Date): readonly ConfigObjection[] {
  const { ssl_enabled: isEnabled, ssl_mode: mode, ssl_force_redirect: redirects } = settings
  const objections = [
    ...(isEnabled && mode === 'off' ? [sslObjection('mode_off')] : []),
    ...(redirects && !isEnabled ? [sslObjection('needs_ssl')] : []),
  ]
  if (mode === 'manual') return [...objections, ...checkUploaded(settings, domains, now)]
  return mode === 'off' ? objections : [...objections, ...checkAcme(settings, domains)]
}

function checkUploaded(settings: SslSettings, domains: readonly string[], now: Date): readonly ConfigObjection[] {
  const { ssl_certificate: pem, ssl_private_key: key } = settings
  const keyMissing = key === '' ? [sslObjection('private_key_required')] : []
  if (pem.trim() === '') return [sslObjection('certificate_required'), ...keyMissing]
  const leaf = readChain(pem)?.[0]
  const uncovered = leaf ? domains.filter((domain) => !coversDomain(leaf, domain)) : []
  return [
    ...checkChain(pem, key, now),
    ...uncovered.map((domain) => sslObjection('domain_not_covered', { domain })),
    ...keyMissing,
  ]
}

function checkAcme(settings: SslSettings, domains: readonly string[]): readonly ConfigObjection[] {
  const overDns = settings.ssl_mode === 'acme_dns01'
  const needsDns = settings.ssl_wildcard || domains.some((domain) => domain.startsWith('*.'))
  const closed = domains.filter((domain) => !isPublicName(domain))
  return [
    ...(settings.ssl_email === '' ? [sslObjection('email_required')] : []),
    ...closed.map((domain) => sslObjection('domain_not_public', { domain })),
    ...(needsDns && !overDns ? [sslObjection('wildcard_needs_dns')] : []),
    ...(overDns && settings.ssl_dns_provider === '' ? [sslObjection('dns_provider_required')] : []),
  ]
}

function expiresSoon(end: Date, locale: string): { readonly reason: string; readonly message: string } {
  const date = end.toISOString()
  return { reason: 'expires_soon', message: texts.tell('ssl.expires_soon', locale, { date }) }
}
