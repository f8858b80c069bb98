import { compare, prerelease } from 'semver'
import { summaryDescription, type IndexEntry, type IndexTrust } from './index-file.ts'
import type { PluginFile, PluginVersion } from './plugin-file.ts'

/** The version an index calls the latest: the newest that is not yanked, a prerelease only where there is nothing else. */
export function latestVersion(versions: readonly PluginVersion[]): PluginVersion | undefined {
  const offered = versions.filter(({ yanked }) => yanked === null)
  const released = offered.filter(({ version }) => prerelease(version) === null)
  const [best] = [released, offered, versions].filter((each) => each.length > 0)
  return best?.toSorted((a, b) => compare(b.version, a.version))[0]
}

/** The folder of a plugin in an index, such as `p/ac/acme.sales-report/`. */
export function pluginFolder(name: string): string {
  return `p/${name.slice(0, 2)}/${name}/`
}

/** Makes the entry of index.json from a plugin.json: what a list shows is copied and cut to length. */
export function createIndexEntry(
  plugin: PluginFile,
  { sha256, trust, updated }: { readonly sha256: string; readonly trust: IndexTrust; readonly updated: string },
): IndexEntry {
  const latest = latestVersion(plugin.versions)
  const icon = Object.keys(plugin.files ?? {}).find((path) => /^icon\.(png|webp)$/.test(path))
  const { title, description, categories, keywords } = plugin
  return {
    latest: latest?.version ?? '',
    updated,
    path: pluginFolder(plugin.name),
    sha256,
    trust,
    publisher: plugin.publisher,
    ...(title && { title }),
    ...(description && { description: shorten(description) }),
    ...(categories && { categories }),
    ...(keywords && { keywords }),
    ...(icon !== undefined && { icon }),
    ...(latest && { capabilities: latest.capabilities, engines: latest.engines }),
  }
}

function shorten<T extends Readonly<Record<string, string>>>(localised: T): T {
  const cut = (text: string) =>
    text.length > summaryDescription ? `${text.slice(0, summaryDescription - 1).toWellFormed()}…` : text
  return Object.fromEntries(Object.entries(localised).map(([locale, text]) => [locale, cut(text)])) as T
}
