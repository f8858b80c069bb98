import type { Knex } from 'knex'
import type { LicensablePlugin } from '../contract-licences.ts'
import { getRelease } from '../releases/release-archive.ts'
import { AssignmentRow, type PluginRow } from '../shared/models.ts'

/** An installed plugin, as whoever licenses it needs it. */
export async function findLicensable(
  db: Knex,
  { id, name, scope, activeRelease }: PluginRow,
): Promise<LicensablePlugin> {
  const { manifest } = await getRelease(db, activeRelease)
  const rows = await AssignmentRow.acrossTenants(db).where({ plugin_id: id, assigned: true }).orderBy('tenant_id')
  const isCommercial = manifest.licensing?.type === 'commercial'
  return { id, name, scope, manifest, isCommercial, assigned: rows.map(({ tenantId }) => tenantId) }
}
