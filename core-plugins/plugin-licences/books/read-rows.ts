import type { Knex } from 'knex'
import { LicenceRow, LicenceTenantRow } from './models.ts'

/** The licences of a plugin with whom they are for. */
export interface LicenceRows {
  readonly licences: readonly { readonly row: LicenceRow; readonly tenants: readonly LicenceTenantRow[] }[]
}

/** Everything that is kept of a plugin's licences, the latest first. */
export async function readLicenceRows(db: Knex, pluginId: number): Promise<LicenceRows> {
  const where = { plugin_id: pluginId }
  const rows = await LicenceRow.with(db).where(where).orderBy('id', 'desc')
  const tenants = await LicenceTenantRow.acrossTenants(db).where(where).orderBy('tenant_id')
  const tenantsOf = Map.groupBy(tenants, ({ licenceId }) => licenceId)
  return {
    licences: rows.map((row) => ({ row, tenants: tenantsOf.get(row.id) ?? [] })),
  }
}
