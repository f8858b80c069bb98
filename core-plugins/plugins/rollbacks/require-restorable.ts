import type { Knex } from 'knex'
import { getBackup } from './choose-release.ts'
import { BackupWithoutPluginError } from './errors.ts'
import { findPlugin } from '../shared/find-plugin.ts'

/** Throws what is missing: 404/4040 the backup, 409/4094 the plugin that it is of. */
export async function requireRestorable(db: Knex, idOrName: string, backupName: string): Promise<void> {
  const plugin = await findPlugin(db, idOrName)
  const { plugin: name, version } = await getBackup(db, plugin?.name ?? idOrName, backupName)
  if (!plugin) throw new BackupWithoutPluginError({ name, version }, { details: { plugin: name, version } })
}
