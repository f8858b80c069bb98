import type { Knex } from 'knex'
import type { Constructor, QueryBuilderType } from 'objection'
import type { Principal, TenantModel } from '#kernel'

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

/** How rows say whose they are. */
export function presentOwner({ tenantId }: { readonly tenantId: number }) {
  return tenantId === 0
    ? { scope: 'platform' as const, tenant_id: null }
    : { scope: 'tenant' as const, tenant_id: tenantId }
}
