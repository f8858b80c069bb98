import { domainToASCII } from 'node:url'
import { parse } from 'tldts'
import type { ConfigReader } from '../../config/contract.ts'
import { readHostName, readPlatformNames } from '../domain-name.ts'
import { DomainInvalidError } from '../errors.ts'

/** Names that mean one's own machine or network, or nothing at all (RFC 2606, 6761, 6762, 7686, 8375, 9476, ICANN's `internal`). */
const reservedSuffixes = ['localhost', 'local', 'internal', 'lan', 'arpa', 'onion', 'invalid', 'alt']

/** The name of the TXT record, with the longest prefix there may be, must be a name too. */
const longest = 253 - 42

/** What decides which domains a tenant may have. */
export interface DomainRules {
  readonly config: ConfigReader
  /** The platform's own address, which is nobody else's. */
  readonly publicUrl: string
}

/** Reads a tenant's custom domain; throws 422/4228 for what is no host name, is a public suffix or reserved, or belongs to the platform. */
export async function readCustomDomain(text: string, { config, publicUrl }: DomainRules): Promise<string> {
  const name = readHostName(text)
  if (name !== undefined && name.length <= longest && isBindable(name) && !(await isPlatforms(name, config, publicUrl)))
    return name
  throw new DomainInvalidError({ domain: text }, { details: { domain: text } })
}

/** Whether a domain is the whole of a zone, where no CNAME record may stand; so are names below a public suffix. */
export function isApex(domain: string): boolean {
  return parse(domain, { allowPrivateDomains: true }).domain === domain
}

/** The name of a domain's record within its zone: `app` for app.acme.com, `@` for acme.com. */
export function nameInZone(domain: string): string {
  return parse(domain, { allowPrivateDomains: true }).subdomain || '@'
}

/** Where tenants' domains lead: what the platform says, or `tenants.` and its first domain. */
export async function readCnameTarget(config: ConfigReader): Promise<string> {
  const [target, domains] = await Promise.all([
    config.get<string>('tenant_cname_target', 0, ''),
    config.get<readonly string[]>('platform_domains', 0, ['localhost']),
  ])
  const name = target.trim() || `tenants.${domains[0] ?? 'localhost'}`
  return domainToASCII(name.toLowerCase().replace(/\.$/, '')) || name
}

function isBindable(name: string): boolean {
  // An own name and something below a public suffix at least: `co.uk` and `github.io` are everybody's.
  if (parse(name, { allowPrivateDomains: true }).domain === null) return false
  return !reservedSuffixes.some((suffix) => name.endsWith(`.${suffix}`))
}

async function isPlatforms(name: string, config: ConfigReader, publicUrl: string): Promise<boolean> {
  const [{ own, suffix }, target] = await Promise.all([readPlatformNames(config), readCnameTarget(config)])
  if (own.has(name) || name === target || name === URL.parse(publicUrl)?.hostname) return true
  return suffix !== '' && `.${name}`.endsWith(`.${suffix}`)
}
