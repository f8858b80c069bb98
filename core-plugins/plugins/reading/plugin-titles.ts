import type { Knex } from 'knex'
import type { TargetSource } from '../../access/contract.ts'
import type { PluginManifest } from '#sandbox'
import { PluginRow } from '../shared/models.ts'
import { localised } from './present.ts'

/** Names plugins in the audit log by the title of the release that is active. */
export function pluginTitles(db: Knex): TargetSource {
  return async (_tenantId, names, locale) => {
    const rows = (await PluginRow.with(db)
      .join('plugin_releases', 'plugin_releases.id', 'plugins.active_release')
      .whereIn('plugins.name', [...names])
      .select('plugins.name', 'plugin_releases.manifest')) as unknown as readonly {
      readonly name: string
      readonly manifest: Pick<PluginManifest, 'title'>
    }[]
    return rows.map(({ name, manifest }) => ({ id: name, name: localised(manifest.title, locale) }))
  }
}
