import type { Knex } from 'knex'
import type { Principal } from '#kernel'
import { rowsFor } from '../area.ts'
import { AiModelNotFoundError } from '../errors.ts'
import { refuseFaults, faultOf } from '../faults.ts'
import { ModelRow, ModelVersionRow, ProviderRow } from '../tables.ts'

type Reader = Pick<Principal, 'scope' | 'tenantId'>

/** The row, locked within a transaction. Throws 404/4048, also for one of another tenant. */
export async function findModel(reader: Reader, id: string, db: Knex, isLocked = false): Promise<ModelRow> {
  const query = rowsFor(ModelRow, reader, db).findById(id).whereNull('deleted_at')
  const row = await (isLocked ? query.forUpdate() : query)
  if (!row) throw new AiModelNotFoundError()
  return row
}

/** The versions of some models, oldest first, by model. */
export async function versionsOf(
  ids: readonly string[],
  db: Knex,
): Promise<ReadonlyMap<string, readonly ModelVersionRow[]>> {
  if (ids.length === 0) return new Map()
  const rows = await ModelVersionRow.acrossTenants(db)
    .whereIn('model_id', [...ids])
    .orderBy('version')
  return Map.groupBy(rows, ({ modelId }) => modelId)
}

/**
 * Throws 422/4229 unless a model of a tenant may be called by this provider: by one of the tenant's own; and, where the platform says so, by
 * one of the platform's.
 */
export async function checkProvider(
  writer: Reader,
  tenantId: number,
  providerId: string,
  trx: Knex.Transaction,
): Promise<void> {
  const owners = writer.scope === 'platform' ? [tenantId, 0] : [tenantId]
  const found = await ProviderRow.acrossTenants(trx)
    .findById(providerId)
    .whereIn('tenant_id', owners)
    .whereNull('deleted_at')
    .forShare()
  refuseFaults(found ? [] : [faultOf('provider_id', 'known', 'is no provider for this model')])
}
