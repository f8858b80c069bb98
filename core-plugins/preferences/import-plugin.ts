import type { Knex } from 'knex'
import type { ExportedPreference } from './contract.ts'
import { deletePlugin } from './delete-plugin.ts'
import { PreferenceRow, type PreferenceScope } from './models.ts'

/** Few enough to be one statement. */
const batch = 500

/** Puts values in the place of everybody's of a third-party plugin's preferences, in every tenant. */
export async function importPlugin(
  trx: Knex.Transaction,
  plugin: string,
  values: readonly ExportedPreference[],
): Promise<void> {
  await deletePlugin(trx, plugin)
  const rows = values.map(({ scope, tenantId, userId, key, value }) => ({
    ...{ scope: scope as PreferenceScope, tenantId, userId, key },
    ...{ value: JSON.stringify(value), updatedBy: userId },
  }))
  for (let at = 0; at < rows.length; at += batch) {
    await PreferenceRow.acrossTenants(trx).insert(rows.slice(at, at + batch))
  }
}
