import { lockUntilCommit } from '#kernel'
import type { Knex } from 'knex'
import type { PluginRows } from '../plugins/contract.ts'
import { LicenceRow, LicenceStateRow, LicenceTenantRow } from './books/models.ts'

/** Held by whoever writes down how plugins are licensed for tenants, and by whoever erases a tenant: none comes back. */
export const statesLock = 'plugins.licence_states'

/** The licences of plugins, which go with a plugin and with a tenant. That a trial was had stays known. */
export function licenceRows(db: Knex): PluginRows {
  return {
    step: 'licences',
    describe: async ({ id, manifest }) => ({
      type: manifest?.licensing?.type ?? 'free',
      licences: await LicenceRow.with(db).where({ plugin_id: id }).resultSize(),
    }),
    async remove(trx, { id, manifest }) {
      return { licences: id === null ? 0 : await drop(trx, id), type: manifest?.licensing?.type ?? 'free' }
    },
    // Its seats are free again.
    async eraseTenant(tenantId) {
      await db.transaction(async (trx) => {
        await lockUntilCommit(trx, statesLock)
        await LicenceStateRow.of(tenantId, trx).delete()
        await LicenceTenantRow.of(tenantId, trx).delete()
      })
    },
  }
}

/** Answers how many licences there were. */
async function drop(trx: Knex.Transaction, pluginId: number): Promise<number> {
  await LicenceStateRow.acrossTenants(trx).where({ plugin_id: pluginId }).delete()
  await LicenceTenantRow.acrossTenants(trx).where({ plugin_id: pluginId }).delete()
  return LicenceRow.with(trx).where({ plugin_id: pluginId }).delete()
}
