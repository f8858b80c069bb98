import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import type { ConfigReader } from '../config/contract.ts'

const label = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/
// What a URL has around or in place of a host name; the conversion would cut or decode it.
const foreign = /[\s/\\?#@:%[\]]/

/** A host name in lower case and ASCII, or undefined for what is none. */
export function readHostName(text: string): string | undefined {
  const given = text.trim().toLowerCase().replace(/\.$/, '')
  if (given.length > 253 || foreign.test(given)) return undefined
  const name = domainToASCII(given)
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
