import type { ConfigReader } from '../config/contract.ts'
import type { TenantDomain } from './contract.ts'
import { readPlatformNames } from './domain-name.ts'

/** Where a tenant's users open the platform, without a slash at the end. */
export type BaseUrlOf = (code: string, domains: readonly TenantDomain[]) => string

/** Makes the rule for links into tenants' pages: the primary verified domain, otherwise the subdomain, otherwise the platform's address. */
export async function readBaseUrls(config: ConfigReader, publicUrl: string): Promise<BaseUrlOf> {
  const { suffix } = await readPlatformNames(config)
  return (code, domains) => {
    const own = domains.find(({ primary, verified }) => primary && verified)
    return own ? `https://${own.domain}` : subdomainUrl(code, suffix, new URL(publicUrl))
  }
}

function subdomainUrl(code: string, suffix: string, platform: URL): string {
  // The suffix of a development machine names nothing that a reader of a message could open from elsewhere.
  if (suffix === '' || (suffix === 'localhost' && !isLocal(platform.hostname))) return withoutSlash(platform)
  return `${platform.protocol}//${code}.${suffix}${platform.port && `:${platform.port}`}`
}

function isLocal(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || host.startsWith('127.')
}

function withoutSlash({ href }: URL): string {
  return href.replace(/\/+$/, '')
}
