import type { Knex } from 'knex'
import { PreferenceRow } from './models.ts'

/** Deletes everybody's values of a third-party plugin's preferences, in every tenant; answers how many there were. */
export async function deletePlugin(trx: Knex.Transaction, plugin: string): Promise<number> {
  return PreferenceRow.acrossTenants(trx)
    .delete()
    .whereRaw('starts_with(key, ?)', [`plugin.${plugin}.`])
}
