import type { Knex } from 'knex'
import { LicenceRow, LicenceStateRow, LicenceTenantRow } from '../licence-book/models.ts'

/** Deletes the licences of a plugin that goes; that a trial was had stays known. Answers how many licences there were. */
export async function dropLicences(trx: Knex.Transaction, pluginId: number): Promise<number> {
  await LicenceStateRow.acrossTenants(trx).where({ plugin_id: pluginId }).delete()
  await LicenceTenantRow.acrossTenants(trx).where({ plugin_id: pluginId }).delete()
  return LicenceRow.with(trx).where({ plugin_id: pluginId }).delete()
}

/** Deletes what is kept of a tenant that is gone; its seats are free again. */
export async function eraseTenantLicences(db: Knex, tenantId: number): Promise<void> {
  await db.transaction(async (trx) => {
    await LicenceStateRow.of(tenantId, trx).delete()
    await LicenceTenantRow.of(tenantId, trx).delete()
  })
}
