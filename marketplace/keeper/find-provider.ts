import { mkdtemp, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseManifest, type PluginManifest } from '#sandbox'
import { prerelease } from 'semver'
import { ownValue } from '../index-format/form.ts'
import { pluginFolder } from '../index-format/index-entry.ts'
import { indexLimits } from '../index-format/index-limits.ts'
import { parsePluginFile, type PluginVersion } from '../index-format/plugin-file.ts'
import { nearest } from '../nearest.ts'
import { openPackage } from '../package/open.ts'
import { IndexRefusal } from './index-refusal.ts'
import { createIndexReader, readSnapshot, readVerified } from './read-index.ts'

/** How many releases of an index are looked at. */
const mostReleases = 10

/** Where a plugin is looked for. */
interface ProviderSearch {
  /** For packages that are opened. */
  readonly scratch: string
  /** SHA-256 of the root.json of an index. */
  readonly root?: string | undefined
  /** Whether a release is what is looked for; of an index the newest one that is. */
  readonly isWanted: (manifest: PluginManifest) => boolean
}

/**
 * The manifest of a plugin's folder, of a package, or of a plugin of an index, written `name@index`. Undefined where there is none of them; the newest
 * release of an index where none is wanted.
 */
export async function findProvider(reference: string, search: ProviderSearch): Promise<PluginManifest | undefined> {
  const found = await stat(reference).catch(() => undefined)
  if (found?.isDirectory()) {
    const text = await readFile(join(reference, 'manifest.json')).catch(() => undefined)
    return text && parseManifest(text)
  }
  if (found) return (await openPackage(reference, await mkdtemp(join(search.scratch, 'provider-')))).manifest
  const at = reference.indexOf('@')
  return at < 1 ? undefined : findInIndex(reference.slice(0, at), reference.slice(at + 1), search)
}

async function findInIndex(name: string, index: string, { scratch, root, isWanted }: ProviderSearch) {
  const read = createIndexReader(index)
  const { snapshot } = await readSnapshot(read, root)
  const entry = ownValue(snapshot.index.plugins, name)
  if (!entry) {
    const near = nearest(name, Object.keys(snapshot.index.plugins))
    throw new IndexRefusal(`The index has no plugin ${name}.${near === undefined ? '' : ` Did you mean ${near}?`}`)
  }
  const file = { path: `${entry.path}plugin.json`, sha256: entry.sha256, most: indexLimits.pluginBytes }
  const { versions } = parsePluginFile(await readVerified(read, file))
  const open = async ({ version, url, sha256, size }: PluginVersion): Promise<PluginManifest> => {
    const address = url.includes(':') ? { address: url } : {}
    const bytes = await readVerified(read, { path: `${pluginFolder(name)}${url}`, ...address, sha256, most: size })
    const folder = await mkdtemp(join(scratch, `provider-${version}-`))
    await writeFile(join(folder, 'pkg.zip'), bytes)
    return (await openPackage(join(folder, 'pkg.zip'), join(folder, 'tree'))).manifest
  }
  let newest: PluginManifest | undefined
  for (const version of offered(versions)) {
    const manifest = await open(version)
    if (isWanted(manifest)) return manifest
    newest ??= manifest
  }
  return newest
}

/** The newest first; prereleases only where there is nothing else. */
function offered(versions: readonly PluginVersion[]): readonly PluginVersion[] {
  const there = versions.filter(({ yanked }) => yanked === null)
  const released = there.filter(({ version }) => prerelease(version) === null)
  return (released.length > 0 ? released : there).slice(0, mostReleases)
}
