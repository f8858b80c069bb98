import type { Knex } from 'knex'
import type { PluginDirectory } from '../contract-running.ts'
import { PluginStatusError } from '../shared/errors.ts'
import { getPlugin } from '../shared/find-plugin.ts'

/** The plugins that are installed, for other core plugins. */
export function createDirectory(db: Knex): PluginDirectory {
  return {
    get: (idOrName) => getPlugin(db, idOrName),
    requireEnabled({ status, removing }) {
      if (status !== 'enabled' || removing) throw new PluginStatusError({ status })
    },
  }
}
