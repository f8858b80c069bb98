import type { Knex } from 'knex'
import type { ConfigReader } from '../config/contract.ts'
import { MemoryRow } from './tables.ts'

const dayMs = 86_400_000
/** What was deleted is known to have been deleted for so long. */
const tombstoneDays = 400

/** Deletes what is over its time, or was not used for longer than its tenant wants it kept. */
export async function sweep(db: Knex, config: ConfigReader): Promise<void> {
  await MemoryRow.acrossTenants(db).delete().where('expires_at', '<=', new Date())
  await MemoryRow.acrossTenants(db).delete().where('deleted_at', '<', before(tombstoneDays))
  const tenants = await MemoryRow.acrossTenants(db).distinct('tenant_id')
  for (const { tenantId } of tenants) {
    const days = await config.get<number>('ai_memory_retention_days', tenantId, 0)
    if (days === 0) continue
    await MemoryRow.of(tenantId, db)
      .delete()
      .whereNull('deleted_at')
      .whereRaw('greatest(updated_at, used_at) < ?', [before(days)])
  }
}

function before(days: number): Date {
  return new Date(Date.now() - days * dayMs)
}
