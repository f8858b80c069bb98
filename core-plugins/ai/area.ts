import type { Knex } from 'knex'
import type { Constructor, QueryBuilderType } from 'objection'
import type { TenantModel } from '#kernel'
import { type Principal, type TenantResolver } from '#kernel'
import { AiTenantNotFoundError } from './errors.ts'
import { faultOf, refuseFaults } from './faults.ts'

/** Whose a row is. */
export type Owned = 'platform' | 'tenant'

/** The rows that an administrator reaches: all of them, or those of the own tenant; only the platform's or only tenants' where that is wanted. */
export function rowsFor<M extends TenantModel>(
  model: Constructor<M> & typeof TenantModel,
  { scope, tenantId }: Pick<Principal, 'scope' | 'tenantId'>,
  db: Knex,
  wanted?: Owned,
): QueryBuilderType<M> {
  const query = scope === 'platform' ? model.acrossTenants(db) : model.of(tenantId, db)
  if (wanted !== undefined) void query.where('tenant_id', wanted === 'platform' ? '=' : '<>', 0)
  return query
}

/** Whose something new is: an administrator of a tenant makes the tenant's, one of the platform says it. Throws 404/4040 and 422/4229. */
export async function ownerOf(
  { scope, tenantId }: Pick<Principal, 'scope' | 'tenantId'>,
  wanted: number | null | undefined,
  tenants: Pick<TenantResolver, 'byId'>,
): Promise<number> {
  if (scope === 'tenant') {
    const isOther = wanted !== undefined && wanted !== tenantId
    refuseFaults(isOther ? [faultOf('tenant_id', 'own_tenant', 'is the own tenant')] : [])
    return tenantId
  }
  const owner = wanted ?? 0
  if (owner !== 0 && !(await tenants.byId(owner))) throw new AiTenantNotFoundError()
  return owner
}

/** How rows say whose they are. */
export function presentOwner({ tenantId }: { readonly tenantId: number }) {
  return tenantId === 0
    ? { scope: 'platform' as const, tenant_id: null }
    : { scope: 'tenant' as const, tenant_id: tenantId }
}
