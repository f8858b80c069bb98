import type { OriginPolicy, TenantResolver } from '#kernel'
import type { ConfigReader } from '../config/contract.ts'
import { readPlatformNames } from './domain-name.ts'

/** Lets pages of the platform's own domains and of its active tenants' read answers; where the platform is on https, only those. */
export function createOriginPolicy(tenants: TenantResolver, config: ConfigReader, publicUrl: string): OriginPolicy {
  const schemes = publicUrl.startsWith('https:') ? ['https:'] : ['https:', 'http:']
  return {
    async allowed(origin) {
      const { protocol = '', hostname = '' } = URL.parse(origin) ?? {}
      if (!schemes.includes(protocol)) return false
      const { own } = await readPlatformNames(config)
      return own.has(hostname) || (await tenants.byHost(hostname))?.status === 'active'
    },
  }
}
