import type { ConfigGuard } from '../../config/contract.ts'
import { passLeading, type LeadingParts } from './leading.ts'

/** The suffix of subdomains says where the links of every tenant without a domain of its own lead. */
export function guardSuffix(parts: LeadingParts): ConfigGuard {
  return {
    keys: ['tenant_domain_suffix'],
    async pass({ actor }, trx) {
      if (actor) await passLeading(parts, actor, 0, trx)
      else await parts.delivery.record({ part: 'link', tenantId: 0, by: null }, trx)
    },
  }
}
