import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { prerelease, rcompare } from 'semver'
import type { PluginManifest } from '#sandbox'
import type { PluginFile, PluginVersion } from '../index-format/plugin-file.ts'
import type { OpenedPackage } from '../package/opened-package.ts'

const changelogMost = 4_000

/** What of a version its package says; the rest is the index's own. */
type PackagedVersion = Omit<PluginVersion, 'url' | 'published' | 'yanked' | 'hostTested' | 'provenance'>

/** What plugin.json says of a version, as far as it stands in the package. */
export async function describeVersion({
  manifest,
  size,
  sha256,
  treeHash,
  signature,
  directory,
}: OpenedPackage): Promise<PackagedVersion> {
  const { version, engines, requires, conflicts, capabilities, optionalCapabilities, minTrust, http } = manifest
  const changelog = await readFile(join(directory, 'CHANGELOG.md'), 'utf8').catch(() => '')
  const news = sectionOf(changelog, version)
  return {
    version,
    engines,
    ...(requires && { requires }),
    ...(conflicts && { conflicts }),
    capabilities,
    ...(optionalCapabilities && { optionalCapabilities }),
    hosts: [...new Set((http?.hosts ?? []).map(({ host }) => host))],
    ...{ size, sha256, treeHash },
    kid: signature?.kid ?? null,
    sig: signature?.sig ?? null,
    ...(news === '' ? {} : { changelog: news }),
    ...(minTrust && { minTrust }),
  }
}

/** The newest of versions, yanked or not; a prerelease only where there is nothing else. What it says of itself is what the index says of the plugin. */
export function newestVersion(versions: readonly PluginVersion[]): string | undefined {
  const released = versions.filter(({ version }) => prerelease(version) === null)
  const known = (released.length > 0 ? released : versions).map(({ version }) => version)
  return known.toSorted(rcompare)[0]
}

/** What plugin.json says of the plugin itself: what the manifest of its newest version says. */
export function describePlugin(manifest: PluginManifest): Omit<PluginFile, 'versions' | 'files'> {
  const { name, publisher, title, description, categories, keywords, license, homepage, repository, support } = manifest
  return {
    ...{ name, publisher, title, description, license },
    ...(categories && { categories }),
    ...(keywords && { keywords }),
    ...(homepage !== undefined && { homepage }),
    ...(repository !== undefined && { repository }),
    ...(support !== undefined && { support }),
  }
}

/** What a changelog says under the heading that names a version, such as `## 1.2.0 (2026-03-01)` or `## [1.2.0]`. */
function sectionOf(changelog: string, version: string): string {
  const lines = changelog.split(/\r?\n/)
  const words = (line: string): readonly string[] => line.replace(/[[\]()]/g, ' ').split(/\s+/)
  const start = lines.findIndex(
    (line) => /^#{1,4}\s/.test(line) && words(line).some((word) => word === version || word === `v${version}`),
  )
  if (start === -1) return ''
  const depth = /^#+/.exec(lines[start] ?? '')?.[0].length ?? 1
  const after = lines.slice(start + 1)
  const end = after.findIndex((line) => (/^(#+)\s/.exec(line)?.[1]?.length ?? Infinity) <= depth)
  const text = (end === -1 ? after : after.slice(0, end)).join('\n').trim()
  return text.length > changelogMost ? `${text.slice(0, changelogMost - 1)}…` : text
}
