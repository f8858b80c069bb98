import type { Knex } from 'knex'
import type { InstalledRelease, PluginDirectory } from '../contract-running.ts'
import { PluginStatusError } from '../shared/errors.ts'
import { getAssignment, getPlugin } from '../shared/find-plugin.ts'
import { ReleaseRow } from '../shared/models.ts'

/** The plugins that are installed, for other core plugins. */
export function createDirectory(db: Knex): PluginDirectory {
  return {
    get: (idOrName) => getPlugin(db, idOrName),
    async getForTenant(idOrName, tenantId) {
      const plugin = await getPlugin(db, idOrName)
      await getAssignment(db, plugin, tenantId)
      return plugin
    },
    list: (names) => listInstalled(db, names),
    async manifestsOf(plugins) {
      const ids = plugins.map(({ activeRelease }) => activeRelease)
      const releases = await ReleaseRow.with(db).findByIds(ids).select('id', 'manifest')
      const byRelease = new Map(releases.map(({ id, manifest }) => [id, manifest]))
      return new Map(
        plugins.flatMap(({ id, activeRelease }) => {
          const manifest = byRelease.get(activeRelease)
          return manifest ? [[id, manifest] as const] : []
        }),
      )
    },
    requireEnabled({ status, removing }) {
      if (status !== 'enabled' || removing) throw new PluginStatusError({ status })
    },
  }
}

async function listInstalled(db: Knex, names?: readonly string[]): Promise<readonly InstalledRelease[]> {
  const rows = await db('plugins')
    .join('plugin_releases as release', 'release.id', 'plugins.active_release')
    .where((asked) => {
      if (names) void asked.whereIn('plugins.name', [...names])
    })
    .orderBy('plugins.name')
    .select<(Omit<InstalledRelease, 'release'> & InstalledRelease['release'] & { readonly from: string | null })[]>({
      ...{ id: 'plugins.id', name: 'plugins.name', status: 'plugins.status', removing: 'plugins.removing' },
      ...{ activeRelease: 'plugins.active_release', source: 'plugins.source', pinned: 'plugins.pinned' },
      ...{ version: 'release.version', treeHash: 'release.tree_hash', kid: 'release.kid', from: 'release.source' },
    })
  return rows.map(({ version, treeHash, kid, from, ...plugin }) => {
    return { ...plugin, release: { version, treeHash, kid, source: from } }
  })
}
