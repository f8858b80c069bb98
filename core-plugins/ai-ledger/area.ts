import type { Principal, TenantResolver } from '#kernel'
import { LedgerTenantNotFoundError } from './errors.ts'
import { faultOf, refuseFaults } from './faults.ts'

/** Who asks: an administrator of the platform over all tenants, or one of a tenant over its own. */
type Asker = Pick<Principal, 'scope' | 'tenantId'>

/** Whose something new is: the own tenant's, or what an administrator of the platform says, 0 being the platform. Throws 404/4040 and 422/4220. */
export async function ownerOf(
  { scope, tenantId }: Asker,
  wanted: number | null | undefined,
  tenants: Pick<TenantResolver, 'byId'>,
): Promise<number> {
  if (scope === 'tenant') {
    const isOther = wanted !== undefined && wanted !== tenantId
    refuseFaults(isOther ? [faultOf('tenant_id', 'own_tenant', 'is the own tenant')] : [])
    return tenantId
  }
  const owner = wanted ?? 0
  if (owner !== 0 && !(await tenants.byId(owner))) throw new LedgerTenantNotFoundError()
  return owner
}

/** The tenant whose rows a list shows; undefined is all. A tenant that asks for another's is shown nothing. */
export function tenantFor({ scope, tenantId }: Asker, wanted: number | undefined): number | undefined | 'none' {
  if (scope === 'platform') return wanted
  return wanted === undefined || wanted === tenantId ? tenantId : 'none'
}
