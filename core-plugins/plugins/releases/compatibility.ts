import { platformVersion, type FieldError } from '#kernel'
import { hostModuleFault, pluginHash8, sdkVersion, type PluginManifest } from '#sandbox'
import type { Knex } from 'knex'
import semver from 'semver'
import { PluginIncompatibleError, PluginRequiredError } from '../shared/errors.ts'

/** Throws 400/4009 with every reason for which a plugin cannot be installed beside what is. */
export async function requireCompatible(db: Knex, manifest: PluginManifest): Promise<void> {
  const { engines, requires = {}, conflicts = {}, hostModules = [] } = manifest
  const installed = await installedVersions(db, [...Object.keys(requires), ...Object.keys(conflicts)])
  const errors: FieldError[] = []
  const fault = (field: string, rule: string, message: string) => void errors.push({ field, rule, message })
  if (!semver.satisfies(platformVersion, engines.host))
    fault('engines.host', 'range', `This is version ${platformVersion}`)
  if (engines.sdk !== undefined && !semver.satisfies(sdkVersion, engines.sdk)) {
    fault('engines.sdk', 'range', `The SDK of this platform is ${sdkVersion}`)
  }
  const twin = await findTwin(db, manifest.name)
  if (twin !== undefined) fault('name', 'taken', `Its tables would be those of ${twin}: choose another name`)
  for (const [name, range] of Object.entries(requires)) {
    const version = installed.get(name)
    if (version === undefined) fault(`requires.${name}`, 'required', `${name} is not installed`)
    else if (!semver.satisfies(version, range)) fault(`requires.${name}`, 'range', `${name} is installed as ${version}`)
  }
  for (const [name, range] of Object.entries(conflicts)) {
    const version = installed.get(name)
    if (version !== undefined && semver.satisfies(version, range)) {
      fault(`conflicts.${name}`, 'conflict', `${name} ${version} is installed`)
    }
  }
  hostModules.forEach((wanted, index) => {
    const missing = hostModuleFault(wanted)
    if (missing !== undefined) fault(`hostModules.${index}`, 'host_module', missing)
  })
  if (errors.length > 0) throw new PluginIncompatibleError({ errors })
}

/**
 * The installed plugin, if any, whose tables, role and keys another name would share: they are named after eight digits of a
 * hash, and a name with the same eight can be searched for.
 */
export async function findTwin(db: Knex, name: string): Promise<string | undefined> {
  const rows = await db('plugins').whereNot({ name }).select<{ name: string }[]>('name')
  return rows.find((row) => pluginHash8(row.name) === pluginHash8(name))?.name
}

/** Throws 409/4095 when installed plugins require one that is about to go. */
export async function requireUnneeded(db: Knex, name: string): Promise<void> {
  const rows = await db('plugins')
    .join('plugin_releases', 'plugin_releases.id', 'plugins.active_release')
    .whereRaw(`jsonb_exists(manifest -> 'requires', ?)`, [name])
    .select<{ name: string }[]>('plugins.name')
  if (rows.length > 0) throw new PluginRequiredError({ details: { by: rows.map((row) => row.name) } })
}

/** The installed ones among these plugins, with their versions. */
async function installedVersions(db: Knex, names: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (names.length === 0) return new Map()
  const rows = await db('plugins')
    .join('plugin_releases', 'plugin_releases.id', 'plugins.active_release')
    .whereIn('plugins.name', [...names])
    .where({ removing: false })
    .select<{ name: string; version: string }[]>('plugins.name', 'version')
  return new Map(rows.map(({ name, version }) => [name, version]))
}
