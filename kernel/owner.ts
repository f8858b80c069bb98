import { TenantNotFoundError, type FieldError } from './errors.ts'
import type { Principal, TenantResolver } from './identity.ts'

/** What a choice of owner stands on. */
interface OwnerParts {
  readonly tenants: Pick<TenantResolver, 'byId'>
  /** Throws where there are faults. */
  readonly refuse: (faults: readonly FieldError[]) => void
}

/**
 * Whose something new is where administrators of the platform and of tenants make it: the own tenant's, or what an administrator of the
 * platform says, 0 and nothing being the platform. Throws 404/4040 for a tenant that is not there.
 */
export async function ownerOf(
  { scope, tenantId }: Pick<Principal, 'scope' | 'tenantId'>,
  wanted: number | null | undefined,
  { tenants, refuse }: OwnerParts,
): Promise<number> {
  if (scope === 'tenant') {
    const isOther = wanted !== undefined && wanted !== tenantId
    refuse(isOther ? [{ field: 'tenant_id', rule: 'own_tenant', message: 'is the own tenant' }] : [])
    return tenantId
  }
  const owner = wanted ?? 0
  if (owner !== 0 && !(await tenants.byId(owner))) throw new TenantNotFoundError()
  return owner
}
