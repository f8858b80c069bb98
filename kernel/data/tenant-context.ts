import { ProgrammingError } from '../programming-errors.ts'

/** Whose rows a query may see: one tenant's, or everybody's for the platform acting for all. */
export interface TenantContext {
  readonly tenant: number | 'all'
}

/** The query context of a tenant, for queries outside a TenantModel: `db('notes').queryContext(tenantContext(5))`. */
export function tenantContext(tenant: number | 'all'): TenantContext {
  if (tenant === 'all' || (Number.isSafeInteger(tenant) && tenant >= 0)) return { tenant }
  throw new ProgrammingError(`${String(tenant)} is no tenant id`)
}

/** What `stoa.tenant_id` must be for a query with this context; a query without one sees no tenant's rows. */
export function tenantSetting(context: unknown): string {
  if (typeof context !== 'object' || context === null || !('tenant' in context)) return ''
  return String(tenantContext(context.tenant as TenantContext['tenant']).tenant)
}
