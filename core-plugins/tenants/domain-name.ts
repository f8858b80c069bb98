import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import type { ConfigReader } from '../config/contract.ts'
import { DomainInvalidError } from './errors.ts'

const label = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/

/** A host name in lower case and ASCII, or undefined for what is none. */
export function readHostName(text: string): string | undefined {
  const name = domainToASCII(text.trim().toLowerCase().replace(/\.$/, ''))
  if (name === '' || name.length > 253 || isIP(name) !== 0) return undefined
  return name.split('.').every((part) => label.test(part)) ? name : undefined
}

/** The names under which the platform itself answers, and the suffix of its tenants' subdomains. */
export async function readPlatformNames(config: ConfigReader): Promise<{ own: ReadonlySet<string>; suffix: string }> {
  const [domains, suffix] = await Promise.all([
    config.get<readonly string[]>('platform_domains', 0, ['localhost']),
    config.get('tenant_domain_suffix', 0, 'localhost'),
  ])
  return { own: new Set(domains.map((domain) => domain.toLowerCase())), suffix: suffix.toLowerCase() }
}

/** Reads a tenant's custom domain; throws 422/4228 for what is no host name or belongs to the platform. */
export async function readCustomDomain(text: string, config: ConfigReader): Promise<string> {
  const name = readHostName(text)
  const { own, suffix } = await readPlatformNames(config)
  if (!name?.includes('.') || own.has(name) || (suffix !== '' && `.${name}`.endsWith(`.${suffix}`))) {
    throw new DomainInvalidError({ domain: text }, { details: { domain: text } })
  }
  return name
}
