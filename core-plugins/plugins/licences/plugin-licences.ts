import type { Scope } from '#kernel'
import { pluginsLicenseChanged } from '../contract.ts'
import type { PluginLicences } from '../contract-licences.ts'
import { wantPlugin } from '../running/desired-state.ts'
import type { LicenceSlot } from '../running/licence-slot.ts'
import type { LicenceNeeds } from './needs.ts'
import type { RunningState } from '../running/running-state.ts'
import { settle } from '../running/settle.ts'
import { PluginNotAssignableError } from '../shared/errors.ts'
import { getPlugin } from '../shared/find-plugin.ts'
import { AssignmentRow, PluginRow } from '../shared/models.ts'
import { findLicensable } from './find-licensable.ts'

/** What the licences of plugins are kept with. */
interface LicencesParts {
  readonly parts: Pick<LicenceNeeds, 'db' | 'emit' | 'converger' | 'hosts' | 'operations' | 'siteKey' | 'index'>
  readonly slot: LicenceSlot
  readonly state: Pick<RunningState, 'plugins'>
  readonly emit: Scope['emit']
}

/** What whoever keeps the licences of plugins asks and tells. */
export function createPluginLicences({ parts, slot, state, emit }: LicencesParts): PluginLicences {
  const { db, index, operations, siteKey } = parts
  return {
    siteKey,
    get authority() {
      return index.licences
    },
    onAuthority: (listener) => index.onChange(listener),
    register: (keeper) => slot.register(keeper),
    find: async (idOrName) => findLicensable(db, await getPlugin(db, idOrName)),
    nameOf: async (pluginId) => (await PluginRow.with(db).findById(pluginId))?.name,
    watched: () => state.plugins,
    async update(pluginId, change) {
      const generation = await db.transaction(async (trx) => {
        const plugin = await PluginRow.with(trx).findById(pluginId).forUpdate()
        if (!plugin || plugin.removing || !(await change(trx, plugin.name))) return undefined
        return wantPlugin(trx, pluginId, {})
      })
      if (generation !== undefined) await settle(parts, generation, operations.signal)
    },
    isInstalled: async (trx, pluginId) => (await PluginRow.with(trx).findById(pluginId).forKeyShare()) !== undefined,
    async note(trx, pluginId, tenantIds, licenseState) {
      await AssignmentRow.acrossTenants(trx)
        .where({ plugin_id: pluginId })
        .whereIn('tenant_id', [...tenantIds])
        .patch({ licenseState })
    },
    announce: async (change) => void (await emit(pluginsLicenseChanged, change)),
    notAssignable: () => new PluginNotAssignableError(),
  }
}
