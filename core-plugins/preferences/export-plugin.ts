import type { Knex } from 'knex'
import type { ExportedPreference } from './contract.ts'
import { PreferenceRow } from './models.ts'

/** Everybody's values of a third-party plugin's preferences, in every tenant. */
export async function exportPlugin(trx: Knex.Transaction, plugin: string): Promise<readonly ExportedPreference[]> {
  const rows = await PreferenceRow.acrossTenants(trx)
    .whereRaw('starts_with(key, ?)', [`plugin.${plugin}.`])
    .orderBy(['tenant_id', 'scope', 'user_id', 'key'])
  return rows.map(({ scope, tenantId, userId, key, value }) => ({ scope, tenantId, userId, key, value }))
}
