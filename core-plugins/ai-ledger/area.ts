import type { Principal } from '#kernel'

/** Who asks: an administrator of the platform over all tenants, or one of a tenant over its own. */
type Asker = Pick<Principal, 'scope' | 'tenantId'>

/** The tenant whose rows a list shows; undefined is all. A tenant that asks for another's is shown nothing. */
export function tenantFor({ scope, tenantId }: Asker, wanted: number | undefined): number | undefined | 'none' {
  if (scope === 'platform') return wanted
  return wanted === undefined || wanted === tenantId ? tenantId : 'none'
}
