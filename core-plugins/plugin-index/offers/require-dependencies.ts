import type { PluginVersion } from '#marketplace'
import semver from 'semver'
import type { PackageIntake, PluginDirectory } from '../../plugins/contract.ts'
import { findOffers } from './choose-source.ts'
import { installedVersions } from './installed-versions.ts'
import type { SourceSet } from '../sources/source-set.ts'

/** Throws 400/4009 with the plugins that a version needs and that are not here, and what the sources have of them. */
export async function requireDependencies(
  {
    directory,
    intake,
    sources,
  }: {
    readonly directory: Pick<PluginDirectory, 'list'>
    readonly intake: Pick<PackageIntake, 'unfit'>
    readonly sources: SourceSet
  },
  { requires = {} }: Pick<PluginVersion, 'requires'>,
): Promise<void> {
  const installed = await installedVersions(directory, Object.keys(requires))
  const missing = Object.entries(requires).flatMap(([name, range]) => {
    const version = installed.get(name) ?? null
    if (version !== null && semver.satisfies(version, range)) return []
    const [open] = findOffers(sources, name)
    const latest = open?.index.find(name)?.latest
    const offered = open && latest !== undefined ? { source: open.row.id, version: latest } : null
    return [{ name, range, installed: version, offered }]
  })
  if (missing.length === 0) return
  const errors = missing.map(({ name, range, installed: version }) => ({
    field: `requires.${name}`,
    rule: version === null ? 'required' : 'range',
    message:
      version === null ? `${name} ${range} is not installed` : `${name} is installed as ${version}, not ${range}`,
  }))
  throw intake.unfit({ errors, details: { missing } })
}
