import { requireFreshSignIn } from '#kernel'
import type { Access } from '../../access/contract.ts'
import type { ConfigGuard } from '../../config/contract.ts'

/**
 * Whoever says where the platform's files go reads those that tenants write from then on: only somebody freshly signed in who
 * holds as much as the highest may. What a tenant says of its own files is the tenant's to say.
 */
export function guardSettings(access: Pick<Access, 'requireAuthorityOverAll'>): ConfigGuard {
  return {
    keys: ['storage_driver', 'storage_config', 'tenant_storage_profiles', 'tenant_storage_profile_secrets'],
    async pass({ tenantId, actor }, trx) {
      if (!actor || tenantId !== 0) return
      requireFreshSignIn(actor)
      await access.requireAuthorityOverAll(actor, 0, trx)
    },
  }
}
