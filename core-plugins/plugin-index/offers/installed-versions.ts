import type { PluginDirectory } from '../../plugins/contract.ts'

/** The versions of those of these plugins that are installed, by name. */
export async function installedVersions(
  directory: Pick<PluginDirectory, 'list'>,
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (names.length === 0) return new Map()
  const installed = (await directory.list(names)).filter(({ removing }) => !removing)
  return new Map(installed.map(({ name, release }) => [name, release.version]))
}
