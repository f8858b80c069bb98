import type { Knex } from 'knex'
import type { QueryBuilderType } from 'objection'
import type { Principal, TenantResolver } from '#kernel'
import { KnowledgeBaseNotFoundError } from '../errors.ts'
import { refuseFaults } from '../faults.ts'
import { KnowledgeBaseRow } from '../tables.ts'

type Reader = Pick<Principal, 'scope' | 'tenantId'>

/** The knowledge bases that an administrator reaches: of every tenant, or of the own one. */
export function basesFor({ scope, tenantId }: Reader, db: Knex): QueryBuilderType<KnowledgeBaseRow> {
  return scope === 'platform' ? KnowledgeBaseRow.acrossTenants(db) : KnowledgeBaseRow.of(tenantId, db)
}

/** The row, locked within a transaction. Throws 404/4040, also for one of another tenant. */
export async function findBase(reader: Reader, id: string, db: Knex, isLocked = false): Promise<KnowledgeBaseRow> {
  const query = basesFor(reader, db).findById(id)
  const row = await (isLocked ? query.forUpdate() : query)
  if (!row) throw new KnowledgeBaseNotFoundError()
  return row
}

/** Whose a new one is: an administrator of a tenant makes the tenant's, one of the platform names it. Throws 422/4229. */
export async function ownerOf(
  { scope, tenantId }: Reader,
  wanted: number | undefined,
  tenants: Pick<TenantResolver, 'byId'>,
): Promise<number> {
  const owner = wanted ?? tenantId
  const isThere = scope === 'tenant' ? owner === tenantId : owner !== 0 && (await tenants.byId(owner)) !== undefined
  const fault = { field: 'tenant_id', rule: 'tenant_wanted', message: 'names the tenant that it is for' }
  refuseFaults(isThere ? [] : [fault])
  return owner
}
