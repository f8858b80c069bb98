import type { Knex } from 'knex'
import semver from 'semver'
import { PluginRequiredError } from '../shared/errors.ts'

/** Throws 409/4095 when installed plugins need a plugin in another version than this one. */
export async function requireFitting(db: Knex, name: string, version: string): Promise<void> {
  const rows = await db('plugins')
    .join('plugin_releases', 'plugin_releases.id', 'plugins.active_release')
    .where({ removing: false })
    .whereRaw(`jsonb_exists(manifest -> 'requires', ?)`, [name])
    .select<{ name: string; range: string }[]>('plugins.name', db.raw(`manifest -> 'requires' ->> ? as range`, [name]))
  const unfit = rows.filter(({ range }) => !semver.satisfies(version, range))
  if (unfit.length > 0) throw new PluginRequiredError({ details: { by: unfit.map((row) => row.name) } })
}
